import { z } from 'zod'
import { changeFrame } from './frame.ts'

export const streamSchema = z.string().meta({
  id: 'DataFileEvents',
  description:
    'Server-sent events. The id of each is a revision, its data a JSON object: `type` is `refetchEvaluation`, `etag` is the ETag of the data file, and `change` can contain the flags that changed since the revision `change.from`.',
  example: changeFrame({
    revision: 42,
    publishedAt: new Date('2026-11-20T10:00:00.000Z'),
    etag: '"9f86d081884c7d65"',
    change: null,
  }).toString(),
})
