import type { Kind } from './destination-path.ts'
import { sortOf } from './kinds.ts'
import type { SampleMessage } from './message-picture.tsx'

const release: SampleMessage = {
  tone: 'INFO',
  title: 'Ada published 2 flags to Production',
  summary: '',
  facts: [
    { label: 'Revision', value: '42' },
    { label: 'one-page-checkout', value: 'default off → on' },
  ],
  link: { label: 'See what changed', url: '' },
  project: 'Web shop',
  actor: 'Ada',
}

const alarm: SampleMessage = {
  tone: 'BAD',
  title: 'The split of “Half” does not fit its weights',
  summary: '',
  facts: [
    { label: 'Flag', value: 'one-page-checkout' },
    { label: 'p-value', value: '0.00002' },
  ],
  link: { label: 'Open the results', url: '' },
  project: 'Web shop',
  actor: 'Svc',
}

/** Typical messages of a kind: chats and mail report releases, tickets and alarms report what needs a person. */
export const sampleOf = (kind: Kind): SampleMessage => (['TICKET', 'ALARM'].includes(sortOf(kind)) ? alarm : release)

/** A template defines the form of its own messages. */
export const templateSample = `{
  "text": "Published",
  "by": "Ada"
}`
