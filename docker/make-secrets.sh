#!/bin/sh
# Makes the secrets that docker-compose.yml hands to the containers as files. What is there already stays.
set -eu
cd "$(dirname "$0")"
mkdir -p secrets
# The folder keeps others on this machine out; the files are read by the containers' own users.
chmod 700 secrets
random() { od -An -N32 -tx1 /dev/urandom | tr -d ' \n'; }
[ -s secrets/postgres_password ] || random > secrets/postgres_password
[ -s secrets/jwt_secret ] || random > secrets/jwt_secret
[ -s secrets/database_url ] ||
  printf 'postgres://lectern:%s@postgres:5432/lectern' "$(cat secrets/postgres_password)" > secrets/database_url
chmod 444 secrets/postgres_password secrets/jwt_secret secrets/database_url
# The proxy is root without root's rights: it reads its file as others do.
chmod a+r Caddyfile
