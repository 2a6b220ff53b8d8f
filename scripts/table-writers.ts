// Part of `npm run check`: the SQL of one folder writes a table, so that everything that happens to its rows is in one
// place. Other features call functions of that folder, or put its part of a statement into their own.
import { globSync, readFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { migratedTables } from '../packages/server/src/platform/db/index.ts'

const server = fileURLToPath(new URL('../packages/server/', import.meta.url))
const writes = /\b(?:insert\s+into\s+(\w+)|update\s+(\w+)(?:\s+\w+)?\s+set\b|delete\s+from\s+(\w+))/g

/** Files that write the table of another folder, with the reason. */
const exceptions = new Map([
  // Deletes accepted invitations with their role. Roles cannot import links, which import accounts, which import roles.
  ['links', 'src/wings/people/roles/queries.ts'],
])

const tables = await migratedTables()
const writers = new Map<string, Set<string>>()
for (const path of globSync(`${server}src/**/*.ts`).filter((path) => !path.endsWith('.test.ts')))
  for (const [, ...named] of readFileSync(path, 'utf8').matchAll(writes)) {
    const table = named.find((name) => name !== undefined)!
    const file = relative(server, path)
    if (tables.has(table) && exceptions.get(table) !== file)
      writers.set(table, (writers.get(table) ?? new Set()).add(file))
  }

/** The folder of a feature. Large ones have their SQL in folders of their own below it. */
const featureOf = (file: string) => /^src\/wings\/[^/]+\/[^/]+/.exec(file)?.[0] ?? dirname(file)

const shared = [...writers].filter(([, files]) => new Set([...files].map(featureOf)).size > 1)
for (const [table, files] of shared)
  console.error(`The table ${table} is written by ${[...files].map(featureOf).join(', ')}. One folder must write it.`)
const elsewhere = [...writers].flatMap(([table, files]) =>
  [...files]
    .filter((file) => file.includes('/wings/') && !file.endsWith('/queries.ts'))
    .map((file) => ({ table, file })),
)
for (const { table, file } of elsewhere) console.error(`${file} writes the table ${table}. SQL belongs in queries.ts.`)
if (shared.length + elsewhere.length > 0) process.exit(1)
