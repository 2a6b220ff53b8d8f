export { type Engines, webFiles } from './files.ts'
export { serveWebFiles, webFilesAhead } from './routes.ts'
