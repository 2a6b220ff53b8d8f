import { isCondition } from '../conditions/conditions.ts'
import { pageSentence } from '../conditions/page-words.ts'
import { capital } from '../words/lists.ts'
import { type Change, type ChangeNames, type ChangeWords, experimentWords, shown } from './change-words.ts'
import { changeSubject, changeText, type WebChange } from './web-change-sentence.ts'

/** Names for the differences of a web experiment. A name that is missing is replaced by the key. */
export interface WebNames extends ChangeNames {
  /** Names of variations by key. An empty one is left out, where everything is about one variation. */
  variations?: ReadonlyMap<string, string>
  /** Names of pages by key. */
  pages?: ReadonlyMap<string, string>
  /** Changes of the draft by "<key of the variation> <id>". */
  webChanges?: ReadonlyMap<string, WebChange>
}

/** The words for a difference of a web experiment: of what its variations do to pages, of its pages, or of its rule. */
export function webDifferenceWords(change: Change, names: WebNames = {}): ChangeWords {
  const { path, from, to } = change
  const [, page, pageField] = /^pages\.([^.]+)(?:\.(.+))?$/.exec(path) ?? []
  if (page !== undefined) return pageWords(page, pageField, change, names)
  const [, key, part, id, field] =
    /^variations\.(.+?)\.(changes|changeOrder|css|js|redirect)(?:\.([^.]+))?(?:\.(.+))?$/.exec(path) ?? []
  if (key === undefined) return settingWords(change, names)
  const variation = names.variations?.get(key) ?? key
  const at = (what: string) => (variation === '' ? capital(what) : `${variation}, ${what}`)
  if (part === 'js') return { subject: at('code'), does: 'edited' }
  if (part === 'changeOrder') return { subject: at('order'), does: 'the changes are applied in a different one' }
  if (part === 'css') return { subject: at('CSS'), from: shown(from), to: shown(to) }
  if (part === 'redirect') return { subject: at('redirect'), from: addressOf(from), to: addressOf(to) }
  if (id !== undefined && field !== undefined) {
    const about = names.webChanges?.get(`${key} ${id}`)
    const subject = about ? changeSubject(about) : `change ${id}`
    const what = fields[field] ?? field
    return {
      subject: at(what === '' ? subject : `${subject}, ${what}`),
      from: valueText(from),
      to: valueText(to),
    }
  }
  const sentence = (value: unknown) => sentenceOf(value, id ?? '', names)
  if (from === null) return { subject: at('new'), does: sentence(to) }
  if (to === null) return { subject: at('deleted'), does: sentence(from) }
  return { subject: at(`change ${id}`), from: sentence(from), to: sentence(to) }
}

const fields: Record<string, string> = {
  value: '',
  was: 'what it showed before',
  page: 'page',
  selector: 'selector',
  alt: 'alternative text',
  name: 'name',
  add: 'added classes',
  remove: 'removed classes',
  keepSpace: 'keeps its space',
  position: 'position',
  to: 'target',
}

function sentenceOf(value: unknown, id: string, { pages }: WebNames): string {
  const change = { ...(value as object), id } as WebChange
  return changeText(change, change.page === null ? null : (pages?.get(change.page) ?? change.page))
}

/** Declarations of a style read like CSS. */
const valueText = (value: unknown): string =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value)
        .map(([property, each]) => `${property}: ${each}`)
        .join('; ')
    : shown(value)

const addressOf = (redirect: unknown): string => (redirect === null ? 'none' : (redirect as { url: string }).url)

function pageWords(key: string, field: string | undefined, { from, to }: Change, names: WebNames): ChangeWords {
  const [before, after] = [from, to] as ({ name?: string; conditions?: unknown } | null)[]
  const words = (value: unknown) => (isCondition(value) ? pageSentence(value, names) : shown(value))
  if (field === undefined) {
    const subject = `Page ${names.pages?.get(key) ?? after?.name ?? before?.name ?? key}`
    if (!after) return { subject, does: 'deleted' }
    return { subject, does: after.conditions === undefined ? 'new' : `new: ${words(after.conditions)}` }
  }
  const subject = `Page ${names.pages?.get(key) ?? key}`
  if (field === 'conditions') return { subject: `${subject}, where`, from: words(from), to: words(to) }
  return { subject: `${subject}, ${field === 'url' ? 'address' : field}`, from: shown(from), to: shown(to) }
}

const settings: Record<string, { subject: string; values?: Record<string, string> }> = {
  pageOrder: { subject: 'Order of the pages' },
  activation: {
    subject: 'Visitors count',
    values: { PAGE: 'on the page', SEEN: 'when they see an element', CALL: 'when the page says so' },
  },
  activationSelector: { subject: 'The element that they see' },
  applyAt: {
    subject: 'Changes are applied',
    values: { AUTO: 'when the page is ready for them', EARLY: 'at once', HYDRATED: 'after the framework of the page' },
  },
}

function settingWords(change: Change, names: WebNames): ChangeWords {
  const setting = settings[change.path]
  if (!setting) return experimentWords(change, names)
  const words = (value: unknown) => setting.values?.[String(value)] ?? shown(value)
  return { subject: setting.subject, from: words(change.from), to: words(change.to) }
}
