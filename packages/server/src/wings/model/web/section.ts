import type { Goal } from '@svc/web'
import { canonicalJson } from '../../../canonical-json.ts'
import type { WebContent } from './content.ts'
import { type MadeDocument, type ServedCode, type ServedExperiment, servedCode, webDocument } from './document.ts'
import { defaultWebSettings, type WebSettings } from './settings.ts'

/** The key of the settings among the members of the section; those of experiments are `x` and a number. */
const settingsKey = 'settings'

const member = (key: string, value: unknown): string => `${JSON.stringify(key)}:${canonicalJson(value)}`

/** The settings of a web project as a member of the section `web`. */
export const settingsMember = (settings: WebSettings): string => member(settingsKey, settings)

/**
 * What a served web experiment does to pages as a member of the section `web`, with variations by key.
 *
 * @param goals what the triggers of its metrics tell
 */
export function contentMember(
  key: string,
  { variations, ...web }: WebContent,
  named: readonly { id: string; key: string }[],
  goals: readonly Goal[],
): string {
  const byKey = named.flatMap((each) => {
    const content = variations[each.id]
    if (!content) return []
    // What elements showed before is for people.
    const changes = content.changes.map(({ was: _was, ...change }) => change)
    return [[each.key, { ...content, changes }]]
  })
  return member(key, { ...web, variations: Object.fromEntries(byKey), ...(goals.length > 0 && { goals }) })
}

/** What an environment of a web project serves besides its data file. */
export interface WebSection {
  settings: WebSettings
  document: MadeDocument
  /** By their numbers in the document. */
  code: readonly ServedCode[]
  /** How many experiments are served. */
  experiments: number
  contents: readonly ServedExperiment[]
  /** The largest experiment, for people who must make room: its key and the bytes of its content. */
  largest: { key: string; bytes: number } | null
}

/** Reads the members of the section, joined by commas, as of a revision. */
export function webSectionOf(members: string, revision: number): WebSection {
  const { [settingsKey]: settings = defaultWebSettings, ...contents } = JSON.parse(`{${members}}`) as {
    [settingsKey]?: WebSettings
  } & Record<string, Omit<ServedExperiment, 'key'>>
  const experiments = Object.entries(contents as Record<string, Omit<ServedExperiment, 'key'>>).map(
    ([key, content]): ServedExperiment => ({ ...content, key }),
  )
  const sizes = experiments.map(({ key, ...content }) => ({ key, bytes: Buffer.byteLength(canonicalJson(content)) }))
  return {
    settings,
    document: webDocument({ revision, settings, experiments }),
    code: servedCode({ settings, experiments }),
    experiments: experiments.length,
    contents: experiments,
    largest: sizes.toSorted((one, other) => other.bytes - one.bytes)[0] ?? null,
  }
}
