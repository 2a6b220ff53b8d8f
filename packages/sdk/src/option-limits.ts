export const shortestPollIntervalMs = 1_000
export const mostDimensions = 20
