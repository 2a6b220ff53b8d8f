export { pingFrame, retryFrame } from './frame.ts'
export { serveStreams } from './routes.ts'
export { dataFileStreams } from './worker.ts'
