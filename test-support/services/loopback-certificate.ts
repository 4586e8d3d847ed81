/** A self-signed certificate for loopback, and its key. They are public and protect nothing but tests. */
export const loopbackCertificate = {
  certificate: `-----BEGIN CERTIFICATE-----
MIIBmzCCAUGgAwIBAgIUDqJN8KsfAdrDNbtL76SXplEWqswwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTA2NDUwM1oYDzIxMjYxMDI4
MDY0NTAzWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAARul+yEzvX1zXIvmBYVLmIypHbRjunEJ97oCle+LTLJwvi1F8Ztw8ky
QT1dPpByTraqs+2qgA+PZvANd5IITat6o28wbTAdBgNVHQ4EFgQUfmaqrqYdmeja
/L44+xC0gjn2ehQwHwYDVR0jBBgwFoAUfmaqrqYdmeja/L44+xC0gjn2ehQwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSAAwRQIhAJvgSGHG4rurxFvwA+Lh69Tm/cuCZyza0gQet04cgVigAiB8
TtEL7Wz67TLRpn5B6wAFScMPIS/bTLARNl1Cn/w+iA==
-----END CERTIFICATE-----
`,
  privateKey: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQghkRlJ4jSmpRrOp6X
TO4Gvmr/8d4dRP5KGOaEP3qRZ9qhRANCAARul+yEzvX1zXIvmBYVLmIypHbRjunE
J97oCle+LTLJwvi1F8Ztw8kyQT1dPpByTraqs+2qgA+PZvANd5IITat6
-----END PRIVATE KEY-----
`,
};
