import type { IndexedNoun } from './nouns.ts'

/** An option of a command. `value` is what help shows for it; an option without one is a switch. */
export interface Option {
  about: string
  value?: string
  short?: string
  /** It can be given several times. */
  many?: true
  /** The only values that it takes. They are completed, too. */
  choices?: readonly string[]
  /** The kind of keys that complete it. */
  keys?: KeyKind
}

/** What completion can look up: a project, and what the index of a project lists. */
export type KeyKind = 'project' | IndexedNoun

export type Options = Record<string, Option>

/** The values of options: text, several texts, or whether a switch was given. */
export type OptionValues<Known extends Options> = {
  [Name in keyof Known]?: Known[Name] extends { many: true }
    ? string[]
    : Known[Name] extends { value: string }
      ? string
      : boolean
}

/** Options of every command. */
export const globalOptions = {
  json: { about: 'Print objects of the API as JSON.' },
  url: { value: 'URL', about: 'Address of the service.' },
  org: { value: 'ORG', about: 'Id or short id of the organization.' },
  project: { value: 'KEY', short: 'p', about: 'Key, id or short id of the project.', keys: 'project' },
  env: { value: 'KEY', short: 'e', about: 'Key or id of the environment.', keys: 'environment' },
  yes: { short: 'y', about: 'Answer every question with yes.' },
  'no-input': { about: 'Never ask. Fail instead.' },
  quiet: { short: 'q', about: 'Print nothing besides data and errors.' },
  verbose: { short: 'v', about: 'Print each request with status, time and request id.' },
  'no-color': { about: 'Print no colors.' },
  timeout: { value: 'TIME', about: 'Maximum time for an answer, such as 500ms. Default: 30s.' },
  help: { short: 'h', about: 'Print the help of the command.' },
  version: { about: 'Print the version.' },
} as const satisfies Options

export type GlobalValues = OptionValues<typeof globalOptions>
