// Holds streams open and prints their number, until it is ended.
import { listenTo } from './listeners.ts'

const [port, path, count] = process.argv.slice(2)
await listenTo(Number(port), path!, Number(count))
console.log(count)
