import { counted } from '@svc/core'
import type { Message } from '../tickets/index.ts'
import { cut, plain } from './kinds/ticket-text.ts'

/** A title must fit into every chat. */
const projectMaxLength = 100

/** Several messages as one: a line and a link for each. */
export interface Folded {
  /** "12 events in Web shop". */
  title: string
  lines: readonly { text: string; url: string }[]
}

export function folded(messages: readonly Message[]): Folded {
  const projects = [...new Set(messages.map(({ project }) => project))]
  const [only] = projects
  return {
    title: `${counted(messages.length, 'event')} in ${projects.length === 1 ? cut(plain(only!), projectMaxLength) : `${projects.length} projects`}`,
    lines: messages.map(({ title, link }) => ({ text: title, url: link.url })),
  }
}
