export { mostStreams, streamLimits } from './limits.ts'
export { serveStreams } from './routes.ts'
export { dataFileStreams } from './worker.ts'
