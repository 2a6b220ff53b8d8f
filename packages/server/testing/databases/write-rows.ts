import { sql } from 'kysely'
import { openDatabase } from '../../src/platform/db/index.ts'
import { quiet } from './templates.ts'

// A process that will be killed: inserts numbers into `acknowledged`, and prints each one after its commit was
// answered.
const { db } = await openDatabase({ dataDir: process.argv[2]!, log: quiet })
await sql`create table if not exists acknowledged (number int primary key)`.execute(db)
const { rows } = await sql<{ next: number }>`select coalesce(max(number), 0) + 1 as next from acknowledged`.execute(db)
for (let number = rows[0]!.next; ; number++) {
  await sql`insert into acknowledged (number) values (${number})`.execute(db)
  process.stdout.write(`${number}\n`)
}
