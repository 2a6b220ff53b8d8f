export { serveStreams } from './routes.ts'
export { dataFileStreams } from './worker.ts'
