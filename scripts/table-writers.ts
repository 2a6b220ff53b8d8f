// Part of `npm run check`: a table is written by the SQL of one file alone, so that whoever looks for what happens to
// its rows has one place to read. Other features call that file's functions, or take its part of a statement into their
// own.
import { globSync, readFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const server = fileURLToPath(new URL('../packages/server/', import.meta.url))
const writes = /\b(?:insert\s+into\s+(\w+)|update\s+(\w+)(?:\s+\w+)?\s+set\b|delete\s+from\s+(\w+))/g

/** Who writes another folder's table all the same, and why. */
const exceptions = new Map([
  // Accepted invitations go with the role that they named. Links know accounts, which know roles: no way back.
  ['links', 'src/wings/people/roles/queries.ts'],
])

const tables = new Set(
  globSync(`${server}migrations/*.sql`).flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/^create table (\w+)/gm)].map(([, table]) => table!),
  ),
)
const writers = new Map<string, Set<string>>()
for (const path of globSync(`${server}src/**/*.ts`).filter((path) => !path.endsWith('.test.ts')))
  for (const [, ...named] of readFileSync(path, 'utf8').matchAll(writes)) {
    const table = named.find((name) => name !== undefined)!
    const file = relative(server, path)
    if (tables.has(table) && exceptions.get(table) !== file)
      writers.set(table, (writers.get(table) ?? new Set()).add(file))
  }

const shared = [...writers].filter(([, files]) => files.size > 1)
for (const [table, files] of shared)
  console.error(`The table ${table} is written by ${[...files].map(dirname).join(', ')}. One folder must write it.`)
const elsewhere = [...writers].flatMap(([table, files]) =>
  [...files]
    .filter((file) => file.includes('/wings/') && !file.endsWith('/queries.ts'))
    .map((file) => ({ table, file })),
)
for (const { table, file } of elsewhere) console.error(`${file} writes the table ${table}. SQL belongs in queries.ts.`)
if (shared.length + elsewhere.length > 0) process.exit(1)
