/** Names that break layouts and parsers, and have been chosen by people. */
export const hostile = {
  long: 'Checkout-with-a-name-that-somebody-typed-without-any-space-and-which-does-not-end-before-the-margin-of-the-page',
  markup: '<img src=x onerror=alert(1)> & "friends"',
  rightToLeft: 'בדיקה של דף התשלום',
  emoji: '🧪🧪 Prüfung für Übergrößen 🇳🇱',
} as const

const names = [
  'One-page checkout',
  'New search ranking',
  'Legacy cart',
  'Beta users in Benelux',
  ...Object.values(hostile),
]
const people = ['Ada Lovelace', 'ci', 'Bo', 'Ravi Shankar']

export interface SampleFlag {
  key: string
  name: string
  status: 'DRAFT' | 'RUNNING' | 'PAUSED' | 'ARCHIVED'
  unpublished: number
  evaluatedAt: string | null
  editedBy: string
}

const statuses = ['RUNNING', 'PAUSED', 'DRAFT', 'ARCHIVED'] as const

/** As many flags as asked for, always the same. */
export const sampleFlags = (count: number): SampleFlag[] =>
  Array.from({ length: count }, (_, at) => ({
    key: `flag-${at + 1}`,
    name: `${names[at % names.length]} ${at + 1}`,
    status: statuses[at % statuses.length]!,
    unpublished: at % 5 === 1 ? 2 : 0,
    evaluatedAt: at % 7 === 3 ? null : new Date(Date.now() - at * 3_600_000 - 120_000).toISOString(),
    editedBy: people[at % people.length]!,
  }))
