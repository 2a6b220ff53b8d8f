import { type RawBuilder, sql } from 'kysely'

/** Whether a text contains another one, in small or capital letters. */
export const containsText = (text: RawBuilder<unknown>, part: string): RawBuilder<boolean> =>
  sql`strpos(${lower(text)}, ${lower(sql`${part}::text`)}) > 0`

/** Uses an explicit collation: with the locale C, the database would not lowercase letters beyond ASCII. */
const lower = (text: RawBuilder<unknown>) => sql`lower(${text} collate "und-x-icu")`
