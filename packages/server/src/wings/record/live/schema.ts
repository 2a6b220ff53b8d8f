import { z } from 'zod'
import { changeFrame } from './change.ts'

export const exampleChange = changeFrame({
  seq: 42,
  at: new Date('2026-11-20T10:00:00.000Z'),
  kind: 'flag',
  id: '0198f2c6-3c4d-7c3e-8f4a-5b6c7d8e9f00',
  action: 'flag.run',
  projectId: '0198f2c6-5e6f-7c3e-8f4a-5b6c7d8e9f00',
  by: { type: 'user', id: '0198f2c6-7b1e-7c44-9a35-1d2f6c0b5e11', name: 'Ada' },
  requestId: '0198f2c6-9a0b-7c3e-8f4a-5b6c7d8e9f00',
})

export const changesSchema = z.string().meta({
  id: 'DashboardChanges',
  description:
    'Server-sent events. The id of each is the number of an audit entry. An event without a name is a change: it says what was changed, by whom and with which request, without the content. `ready` begins the stream; changes up to the number `upTo` happened before. `gap`: changes are missing, so reload what you show.',
})
