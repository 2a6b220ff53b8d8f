# docker build --tag svc .
# What it does without Docker is tested by e2e/image.test.ts.

# By digest, so that every build has the same base: for amd64, arm64 and others. The tag says what it is.
ARG NODE=node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6

FROM ${NODE} AS build
WORKDIR /src
COPY . .
RUN npm ci && npm run -s build && npm run -s runtime-tree -- /app

FROM ${NODE}
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
