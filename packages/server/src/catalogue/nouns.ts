import type { Scope } from './scopes.ts'

interface Noun {
  /** The name for people, in singular and plural. */
  label: string
  plural: string
  /** The scope that reads its name. The audit log has entries about the nouns with such a scope. */
  readBy?: Scope
  /** The field of an event's body that names it, then the field that lists several. */
  inBody?: readonly [string, string?]
  /** The organization's keyword filter checks its name and key in a body. */
  filtered?: true
}

const noun = <const More extends Omit<Noun, 'label' | 'plural'>>(label: string, plural: string, more: More) => ({
  label,
  plural,
  ...more,
})

/**
 * All nouns of the API, the events and the audit log. Actions (`actions.ts`), events (`events.ts`) and their bodies
 * (`payloads.ts`) are typed by these rows, so a noun without a row does not compile there.
 */
export const nouns = {
  organization: noun('Organization', 'Organization', { readBy: 'org:read' }),
  member: noun('Member', 'Members', { readBy: 'members:read' }),
  invitation: noun('Invitation', 'Invitations', { readBy: 'members:read' }),
  role: noun('Role', 'Roles', { readBy: 'roles:read' }),
  user: noun('Account', 'Accounts', { readBy: 'members:read' }),
  session: noun('Session', 'Sessions', { readBy: 'audit:read' }),
  // No scope of the public API reads tokens, but administrators do.
  service_token: noun('Service token', 'Service tokens', { readBy: 'audit:read', inBody: ['token'], filtered: true }),
  personal_token: noun('Personal token', 'Personal tokens', { readBy: 'audit:read' }),
  // Every event happens in a project, so a filter on its name would match all of its events.
  project: noun('Project', 'Projects', { readBy: 'projects:read', inBody: ['project'] }),
  environment: noun('Environment', 'Environments', {
    readBy: 'projects:read',
    inBody: ['environment'],
    filtered: true,
  }),
  flag: noun('Flag', 'Flags', { readBy: 'flags:read', inBody: ['flag', 'flags'], filtered: true }),
  rule: noun('Rule', 'Rules', { readBy: 'flags:read', inBody: ['rule', 'rules'], filtered: true }),
  audience: noun('Audience', 'Audiences', {
    readBy: 'audiences:read',
    inBody: ['audience', 'audiences'],
    filtered: true,
  }),
  segment: noun('Segment', 'Segments', { readBy: 'segments:read', inBody: ['segment'], filtered: true }),
  metric: noun('Metric', 'Metrics', { readBy: 'metrics:read', inBody: ['metric'], filtered: true }),
  webhook: noun('Webhook', 'Webhooks', { readBy: 'webhooks:read', inBody: ['webhook'], filtered: true }),
  destination: noun('Destination', 'Destinations', {
    readBy: 'integrations:read',
    inBody: ['destination'],
    filtered: true,
  }),
  exclusion_group: noun('Exclusion group', 'Exclusion groups', {
    readBy: 'experiments:read',
    inBody: ['exclusionGroup'],
    filtered: true,
  }),
  holdout: noun('Holdout', 'Holdouts', { readBy: 'experiments:read', inBody: ['holdout'], filtered: true }),
  experiment: noun('Experiment', 'Experiments', {
    readBy: 'experiments:read',
    inBody: ['experiment'],
    filtered: true,
  }),
  // This noun only has names of events so far.
  source: noun('Source', 'Sources', { inBody: ['source'], filtered: true }),
} as const satisfies Record<string, Noun>

type Nouns = typeof nouns

export type NounName = keyof Nouns

const rows = Object.entries(nouns) as [NounName, Noun][]

export type AuditedNoun = { [N in NounName]: Nouns[N] extends { readBy: Scope } ? N : never }[NounName]

export const auditedNouns = rows.flatMap(([name, { readBy }]) => (readBy ? [name] : [])) as [
  AuditedNoun,
  ...AuditedNoun[],
]

/** The nouns that an event's body can name. */
export type ToldNoun = { [N in NounName]: Nouns[N] extends { inBody: unknown } ? N : never }[NounName]

/** The field of a body that names a noun. */
export type BodyFieldOf<N extends ToldNoun> = Nouns[N]['inBody'][0]

/** The fields of a body that name or list nouns. */
export type NounField = Nouns[ToldNoun]['inBody'][number]

export const bodyFieldOf = <N extends ToldNoun>(name: N): BodyFieldOf<N> => nouns[name].inBody[0]

/** The fields whose names and keys the keyword filter checks. */
export const filteredFields = rows.flatMap(([, { inBody, filtered }]) =>
  filtered && inBody ? inBody : [],
) as NounField[]

/** The nouns of the audit log whose names a holder of these scopes can read. */
export const nounsReadableBy = (holds: (scope: Scope) => boolean): AuditedNoun[] =>
  auditedNouns.filter((name) => holds(nouns[name].readBy))
