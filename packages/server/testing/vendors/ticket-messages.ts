import type { Message } from '../../src/wings/telling/tickets/ticket-kind.ts'

/** A message about a failed check. */
export const messageOf = (more: Partial<Message> = {}): Message => ({
  tone: 'BAD',
  title: 'Half of Checkout has a sample ratio mismatch',
  summary: 'The split of visitors is not what the weights say.',
  facts: [
    { label: 'p-value', value: '0.00002' },
    { label: 'Environment', value: 'Production' },
  ],
  link: { label: 'Open the results', url: 'https://svc.example/p/web-shop/flags/checkout?environment=production' },
  project: 'Web shop',
  actor: 'Svc',
  at: new Date('2026-11-27T12:00:00.000Z'),
  key: 'flag.srm_failed/e1/12',
  ...more,
})
