import { giveBackMemory } from '../../src/platform/memory.ts'

// Runs as its own process, because its test measures the memory of the process. It makes garbage, gives it back, and
// prints the memory in bytes before, with the garbage, and after.
const { rss } = process.memoryUsage
const figures = [rss()]
let rows: object[] = []
for (let number = 0; number < 1_000_000; number++) rows.push({ number, values: [number] })
rows = []
figures.push(rss())
giveBackMemory()
figures.push(rss())
process.stdout.write(JSON.stringify(figures))
