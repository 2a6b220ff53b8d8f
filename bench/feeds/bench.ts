import { parse } from 'csv-parse'
import { SaxesParser } from 'saxes'
import type { FeedFormat } from '../../packages/server/src/wings/commerce/feeds/format.ts'
import { inPieces, readAll } from '../../packages/server/src/wings/commerce/feeds/testing/reading.ts'
import { writers } from '../../packages/server/src/wings/commerce/feeds/testing/writing.ts'
import type { Item } from '../../packages/server/src/wings/model/catalog/index.ts'
import { item } from './item.ts'

const rows = 50_000
const rounds = 3

type Format = Exclude<FeedFormat, 'SHOPIFY_JSON'>

/** What the parser takes alone, without looking at a field. */
const bare: Record<Format, (bytes: Uint8Array) => Promise<void>> = {
  GOOGLE_XML: async (bytes) => {
    const parser = new SaxesParser({ xmlns: false, position: false })
    parser.on('text', () => {})
    parser.on('closetag', () => {})
    const decoder = new TextDecoder()
    for await (const piece of inPieces(bytes)) parser.write(decoder.decode(piece, { stream: true }))
    parser.close()
  },
  CSV: (bytes) => bareCsv(bytes, ','),
  TSV: (bytes) => bareCsv(bytes, '\t'),
  JSONL: async (bytes) => {
    for (const line of Buffer.from(bytes).toString().split('\n')) if (line !== '') JSON.parse(line)
  },
}

async function bareCsv(bytes: Uint8Array, delimiter: string): Promise<void> {
  const parser = parse({ delimiter, relax_column_count: true, on_record: () => null })
  for await (const piece of inPieces(bytes)) parser.write(piece)
  parser.end()
}

/** Reads a feed of 50,000 items in each format and prints rows per second of processor time, beside the bare parser. */
export async function run(): Promise<void> {
  const items = Array.from({ length: rows }, (_, at) => item(at))
  console.log(`\n## Feeds: ${rows.toLocaleString('en')} items, rows per second of one core, best of ${rounds}\n`)
  console.log('| format | bytes a row | bare parser | items, checked | ratio |\n| --- | --- | --- | --- | --- |')
  for (const [format, write] of Object.entries(writers) as [Format, (all: readonly Item[]) => string][]) {
    const bytes = Buffer.from(write(items))
    const limit = await best(() => bare[format](bytes))
    const ours = await best(async () => {
      const { items: read } = await readAll(bytes, { format })
      if (read.length !== rows) throw new Error(`${format}: ${read.length} items of ${rows} were read`)
    })
    const cells = [format, Math.round(bytes.length / rows), text(limit), text(ours), (ours / limit).toFixed(2)]
    console.log(`| ${cells.join(' | ')} |`)
  }
}

async function best(work: () => Promise<void>): Promise<number> {
  let most = 0
  for (let round = 0; round < rounds; round += 1) {
    const before = process.cpuUsage()
    await work()
    const { user, system } = process.cpuUsage(before)
    most = Math.max(most, rows / ((user + system) / 1_000_000))
  }
  return most
}

const text = (value: number) => Math.round(value).toLocaleString('en')
