# docker build --tag svc .
# What it does without Docker is tested by e2e/image.test.ts.

FROM node:24-bookworm-slim AS build
WORKDIR /src
COPY . .
RUN npm ci && npm run -s build && npm run -s runtime-tree -- /app

FROM node:24-bookworm-slim
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /opt/yarn* \
        /usr/local/bin/yarn /usr/local/bin/yarnpkg \
    && ln -s /app/packages/server/bin/svc-server.js /usr/local/bin/svc-server \
    && mkdir --mode=0700 /data && chown 10001:10001 /data
COPY --from=build /app /app
USER 10001:10001
ENV NODE_ENV=production \
    SVC_HOST=0.0.0.0 \
    SVC_DATA_DIR=/data
VOLUME /data
EXPOSE 4000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["svc-server", "health"]
ENTRYPOINT ["svc-server"]
CMD ["start"]
