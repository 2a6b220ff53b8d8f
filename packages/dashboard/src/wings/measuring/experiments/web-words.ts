import type { Tone } from '../../../ui/status/status-words.ts'
import { counted } from '../../../ui/words/lists.ts'
import type { ExperimentOnPages } from './experiment.ts'

type Variation = ExperimentOnPages['variations'][number]

const nothing = 'shows the page as it is'

/** "3 changes, CSS, code", "goes to https://shop.example/b": what a variation does to pages. */
export function contentWords({ changes = 0, hasCss, hasCode, redirect }: Omit<Variation, 'id' | 'weight'>): string {
  if (redirect) return `goes to ${redirect.url}`
  const parts = [
    ...(changes > 0 ? [counted(changes, 'change')] : []),
    ...(hasCss ? ['CSS'] : []),
    ...(hasCode ? ['code'] : []),
  ]
  return parts.length === 0 ? nothing : parts.join(', ')
}

interface Check {
  tone: Tone
  words: string
}

/** What prevents a launch, by the code of the service. */
const missing = ['NO_PAGES', 'NO_CHANGES', 'HOST_NOT_ALLOWED']

/** What is to be done before a launch, and what is fine. `warnings` are those of a dry run. */
export function webChecklist(
  {
    pages,
    variations,
    metrics,
    hypothesis,
  }: Pick<ExperimentOnPages, 'pages' | 'variations' | 'metrics' | 'hypothesis'>,
  warnings: readonly { code: string; message: string }[],
): Check[] {
  const designed = variations.filter((each) => contentWords(each) !== nothing).length
  const count = pages?.length ?? 0
  const says = (code: string) => warnings.some((warning) => warning.code === code)
  const check = (code: string, isFine: boolean, fine: string, otherwise: string): Check[] => {
    if (says(code)) return []
    return [isFine ? { tone: 'good', words: fine } : { tone: 'warning', words: otherwise }]
  }
  return [
    ...warnings.map(
      ({ code, message }): Check => ({ tone: missing.includes(code) ? 'bad' : 'warning', words: message }),
    ),
    ...check('NO_PAGES', count > 0, `It has ${counted(count, 'page')}.`, 'It has no pages, so no visitor takes part.'),
    ...check(
      'NO_CHANGES',
      designed > 0,
      `${counted(designed, 'variation')} ${designed === 1 ? 'changes' : 'change'} something.`,
      'No variation changes anything, so all visitors see the same.',
    ),
    ...(metrics.primary.length === 0
      ? []
      : [
          {
            tone: 'good' as const,
            words: `${counted(metrics.primary.length, 'metric')} ${metrics.primary.length === 1 ? 'decides' : 'decide'}.`,
          },
        ]),
    hypothesis
      ? { tone: 'good', words: 'There is a hypothesis.' }
      : { tone: 'note', words: 'There is no hypothesis. Write down what you expect before you see it.' },
  ]
}
