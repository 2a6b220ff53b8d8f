import { z } from 'zod'
import { changesBody } from '../packages/server/src/wings/model/web/index.ts'

/** The JSON Schema of the body that saves the changes of a variation, for assistants and editors. */
export const webChangesSchema = (): string =>
  JSON.stringify({
    title: 'Changes of a variation of a web experiment',
    ...z.toJSONSchema(changesBody, { io: 'input' }),
  })
