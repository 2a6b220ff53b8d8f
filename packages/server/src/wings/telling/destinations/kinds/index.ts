import { discord } from './discord.ts'
import { email } from './email.ts'
import { github } from './github.ts'
import { googleChat } from './google-chat.ts'
import { jira } from './jira.ts'
import { linear } from './linear.ts'
import { pagerduty } from './pagerduty.ts'
import { slack } from './slack.ts'
import { teams } from './teams.ts'
import { template } from './template.ts'

/** Every kind of destination besides webhooks. */
export const kinds = {
  SLACK: slack,
  TEAMS: teams,
  DISCORD: discord,
  GOOGLE_CHAT: googleChat,
  JIRA: jira,
  LINEAR: linear,
  GITHUB: github,
  PAGERDUTY: pagerduty,
  EMAIL: email,
  TEMPLATE: template,
} as const

export type KindName = keyof typeof kinds

export const kindNames = Object.keys(kinds) as [KindName, ...KindName[]]

const isKind = (name: string): name is KindName => Object.hasOwn(kinds, name)

/** Whether a kind keeps one ticket or alarm for each key. */
export const isTicketKind = (name: string): boolean => isKind(name) && 'mannerOf' in kinds[name]
