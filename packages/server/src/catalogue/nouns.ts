import type { Scope } from './scopes.ts'

/** Events are listed under these headings where people choose some, in this order. */
export const headings = [
  'Flags',
  'Audiences and segments',
  'Experiments and metrics',
  'Projects and environments',
  'Webhooks, destinations and tokens',
  'Commerce',
] as const

type Noun = Named & (Told | Untold)

interface Named {
  /** The name for people, in singular and plural. */
  label: string
  plural: string
  /** The scope that reads its name. The audit log has entries about the nouns with such a scope. */
  readBy?: Scope
  /** Open dashboards hear of its changes only if they are the person's own, or if the person reads the audit log. */
  liveTo?: 'person'
  /** The letter of its ETags. No two nouns have the same. */
  etag?: string
  /** How addresses name one of them. */
  address?: Address
  /**
   * Where people see it in the dashboard: below the project, with a name of it in braces if it has a page of its own, or
   * below the organization.
   */
  page?: string
  /**
   * What an edit does to it, as the meaning of its event says: `renamed or resized`. A noun with such words is plain: it
   * has the actions create, update and delete, with an event each, and needs all the fields of a noun of a project.
   */
  edited?: string
  /** The organization's keyword filter checks its name and key in a body. */
  filtered?: true
}

/** A noun that events are about. */
interface Told {
  /** The field of an event's body that names it, then the field that lists several. */
  inBody: readonly [string, string?]
  heading: (typeof headings)[number]
}

interface Untold {
  inBody?: never
  heading?: never
}

/** A project, or what belongs to one. */
interface Address {
  /** The parameter in addresses. */
  param: string
  /** The last part of the address of the list. */
  path: string
  /** The table or view with `id`, `project_id` and `name`. A rule has none: its name is in its definition. */
  table?: string
  /** What its address accepts besides the id: `key`, `short_id`, or either. */
  calledBy: 'key' | 'number' | 'both'
  /** The index of the project says which of them are archived, because nothing else can choose those. */
  archived?: true
}

const noun = <const More extends Omit<Named, 'label' | 'plural'> & (Told | Untold)>(
  label: string,
  plural: string,
  more: More,
) => ({
  label,
  plural,
  ...more,
})

/**
 * All nouns of the API, the events and the audit log. Actions (`actions.ts`), events (`events.ts`) and their bodies
 * (`payloads.ts`) are typed by these rows, so a noun without a row does not compile there.
 */
export const nouns = {
  organization: noun('Organization', 'Organization', { readBy: 'org:read', etag: 'o', page: 'settings/general' }),
  member: noun('Member', 'Members', { readBy: 'members:read', page: 'settings/members' }),
  invitation: noun('Invitation', 'Invitations', { readBy: 'members:read', page: 'settings/members' }),
  role: noun('Role', 'Roles', { readBy: 'roles:read', etag: 'l', page: 'settings/roles' }),
  user: noun('Account', 'Accounts', { readBy: 'members:read', liveTo: 'person' }),
  session: noun('Session', 'Sessions', { readBy: 'audit:read', liveTo: 'person' }),
  // No scope of the public API reads tokens, but administrators do.
  service_token: noun('Service token', 'Service tokens', {
    readBy: 'audit:read',
    liveTo: 'person',
    page: 'settings/tokens',
    inBody: ['token'],
    heading: 'Webhooks, destinations and tokens',
    filtered: true,
  }),
  personal_token: noun('Personal token', 'Personal tokens', { readBy: 'audit:read', liveTo: 'person' }),
  // Every event happens in a project, so a filter on its name would match all of its events.
  project: noun('Project', 'Projects', {
    readBy: 'projects:read',
    etag: 'p',
    address: { param: 'projectId', path: 'projects', table: 'projects', calledBy: 'both' },
    inBody: ['project'],
    heading: 'Projects and environments',
  }),
  environment: noun('Environment', 'Environments', {
    readBy: 'projects:read',
    etag: 'e',
    address: { param: 'envId', path: 'environments', table: 'environments', calledBy: 'key' },
    page: 'environments/{key}',
    inBody: ['environment'],
    heading: 'Projects and environments',
    filtered: true,
  }),
  flag: noun('Flag', 'Flags', {
    readBy: 'flags:read',
    etag: 'f',
    address: { param: 'flagId', path: 'flags', table: 'flags', calledBy: 'both' },
    page: 'flags/{key}',
    inBody: ['flag', 'flags'],
    heading: 'Flags',
    filtered: true,
  }),
  rule: noun('Rule', 'Rules', {
    readBy: 'flags:read',
    etag: 'r',
    address: { param: 'ruleId', path: 'rules', calledBy: 'both' },
    inBody: ['rule', 'rules'],
    heading: 'Flags',
    filtered: true,
  }),
  audience: noun('Audience', 'Audiences', {
    readBy: 'audiences:read',
    etag: 'a',
    address: { param: 'audienceId', path: 'audiences', table: 'audiences', calledBy: 'both' },
    page: 'audiences/{shortId}',
    edited: 'edited, or its edit published where no running rule uses it',
    inBody: ['audience', 'audiences'],
    heading: 'Audiences and segments',
    filtered: true,
  }),
  segment: noun('Segment', 'Segments', {
    readBy: 'segments:read',
    etag: 's',
    address: { param: 'segmentId', path: 'segments', table: 'segments', calledBy: 'both' },
    page: 'segments/{shortId}',
    edited: 'renamed, or its description or members changed',
    inBody: ['segment'],
    heading: 'Audiences and segments',
    filtered: true,
  }),
  metric: noun('Metric', 'Metrics', {
    readBy: 'metrics:read',
    etag: 'm',
    address: { param: 'metricId', path: 'metrics', table: 'metrics', calledBy: 'key', archived: true },
    page: 'metrics/{key}',
    edited: 'renamed, redefined, archived or unarchived',
    inBody: ['metric'],
    heading: 'Experiments and metrics',
    filtered: true,
  }),
  webhook: noun('Webhook', 'Webhooks', {
    readBy: 'webhooks:read',
    etag: 'w',
    address: { param: 'webhookId', path: 'webhooks', table: 'webhooks', calledBy: 'key' },
    page: 'integrations/webhooks/{id}',
    inBody: ['webhook'],
    heading: 'Webhooks, destinations and tokens',
    filtered: true,
  }),
  destination: noun('Destination', 'Destinations', {
    readBy: 'integrations:read',
    etag: 'd',
    address: { param: 'destinationId', path: 'destinations', table: 'integrations', calledBy: 'key' },
    page: 'integrations/destinations/{id}',
    inBody: ['destination'],
    heading: 'Webhooks, destinations and tokens',
    filtered: true,
  }),
  exclusion_group: noun('Exclusion group', 'Exclusion groups', {
    readBy: 'experiments:read',
    etag: 'g',
    address: { param: 'groupId', path: 'exclusion-groups', table: 'exclusion_groups', calledBy: 'both' },
    page: 'exclusion-groups',
    edited: 'renamed or resized',
    inBody: ['exclusionGroup'],
    heading: 'Experiments and metrics',
    filtered: true,
  }),
  holdout: noun('Holdout', 'Holdouts', {
    readBy: 'experiments:read',
    etag: 'h',
    address: { param: 'holdoutId', path: 'holdouts', table: 'holdouts', calledBy: 'both', archived: true },
    page: 'holdouts',
    edited: 'renamed, resized, archived or unarchived',
    inBody: ['holdout'],
    heading: 'Experiments and metrics',
    filtered: true,
  }),
  experiment: noun('Experiment', 'Experiments', {
    readBy: 'experiments:read',
    etag: 'x',
    address: { param: 'experimentId', path: 'experiments', table: 'experiments', calledBy: 'number' },
    page: 'experiments/{shortId}',
    inBody: ['experiment'],
    heading: 'Experiments and metrics',
    filtered: true,
  }),
  // A project has one, without a name of its own.
  catalog: noun('Catalog', 'Catalogs', {
    readBy: 'catalog:read',
    etag: 'q',
    page: 'commerce',
    inBody: ['catalog'],
    heading: 'Commerce',
  }),
  catalog_source: noun('Catalog source', 'Catalog sources', {
    readBy: 'catalog:read',
    etag: 'i',
    address: { param: 'sourceId', path: 'catalog/sources', table: 'catalog_sources', calledBy: 'key' },
    page: 'commerce/sources/{key}',
    edited: 'renamed, or its address, format, guards or schedule changed',
    inBody: ['catalogSource'],
    heading: 'Commerce',
    filtered: true,
  }),
  dataset: noun('Dataset', 'Datasets', {
    readBy: 'datasets:read',
    etag: 't',
    address: { param: 'datasetId', path: 'datasets', table: 'datasets', calledBy: 'key' },
    page: 'commerce/datasets/{key}',
    edited: 'renamed, or its derivation, guards or schedule changed',
    inBody: ['dataset'],
    heading: 'Commerce',
    filtered: true,
  }),
  recommendation_model: noun('Recommendation model', 'Recommendation models', {
    readBy: 'recommendations:read',
    etag: 'y',
    address: { param: 'modelId', path: 'recommendations/models', table: 'models', calledBy: 'key' },
    page: 'commerce/models/{key}',
    edited: 'renamed, or its settings or schedule changed, or a person let a different run serve',
    inBody: ['recommendationModel'],
    heading: 'Commerce',
    filtered: true,
  }),
  placement: noun('Placement', 'Placements', {
    readBy: 'recommendations:read',
    etag: 'z',
    address: { param: 'placementId', path: 'recommendations/placements', table: 'placements', calledBy: 'key' },
    page: 'commerce/placements/{key}',
    edited: 'renamed, or its variants or limits changed',
    inBody: ['placement'],
    heading: 'Commerce',
    filtered: true,
  }),
  // Its routes need less. Only administrators hear of erasures.
  job: noun('Job', 'Jobs', {
    readBy: 'audit:read',
    page: 'commerce/jobs/{id}',
    inBody: ['job'],
    heading: 'Commerce',
    filtered: true,
  }),
  // This noun only has names of events so far.
  source: noun('Source', 'Sources', { inBody: ['source'], heading: 'Commerce', filtered: true }),
} as const satisfies Record<string, Noun>

type Nouns = typeof nouns

export type NounName = keyof Nouns

export const nounRows = Object.entries(nouns) as [NounName, Noun][]

export type AuditedNoun = { [N in NounName]: Nouns[N] extends { readBy: Scope } ? N : never }[NounName]

export const auditedNouns = nounRows.flatMap(([name, { readBy }]) => (readBy ? [name] : [])) as [
  AuditedNoun,
  ...AuditedNoun[],
]

export const auditedNoun = (name: AuditedNoun): Noun & { readBy: Scope } => nouns[name]

/** The nouns that an event's body can name. */
export type ToldNoun = { [N in NounName]: Nouns[N] extends { inBody: unknown } ? N : never }[NounName]

/** The field of a body that names a noun. */
export type BodyFieldOf<N extends ToldNoun> = Nouns[N]['inBody'][0]

/** The fields of a body that name or list nouns. */
export type NounField = Nouns[ToldNoun]['inBody'][number]

export const bodyFieldOf = <N extends ToldNoun>(name: N): BodyFieldOf<N> => nouns[name].inBody[0]

/** The fields whose names and keys the keyword filter checks. */
export const filteredFields = nounRows.flatMap(([, { inBody, filtered }]) =>
  filtered && inBody ? inBody : [],
) as NounField[]

/** The nouns of the audit log whose names a holder of these scopes can read. */
export const nounsReadableBy = (holds: (scope: Scope) => boolean): AuditedNoun[] =>
  auditedNouns.filter((name) => holds(nouns[name].readBy))

type With<Part> = { [N in NounName]: Nouns[N] extends Part ? N : never }[NounName]

/** The nouns whose versions have ETags. */
export type VersionedNoun = With<{ etag: string }>

/** A project, and the nouns that belong to one. */
export type ProjectNoun = With<{ address: Address }>

/** Those that are rows of a table or a view. */
export type StoredNoun = With<{ address: { table: string } }>

type At<N> = Address & { noun: N }

/** How addresses name the nouns of a project. */
export const addresses = nounRows.flatMap(([noun, { address }]) =>
  address ? [{ ...address, noun }] : [],
) as readonly At<ProjectNoun>[]

export const storedNouns = addresses.filter(({ table }) => table) as readonly (At<StoredNoun> & { table: string })[]

/** The nouns with the actions create, update and delete. Their events have the same body: the noun with its names. */
export type PlainNoun = With<{ edited: string }>

export const plainNouns = nounRows.flatMap(([noun, { edited }]) => (edited ? [noun] : [])) as readonly PlainNoun[]

export type CalledBy<N extends PlainNoun> = Nouns[N]['address']['calledBy']

/** The parameter of an address that names one of them. */
export type AddressParam = Nouns[ProjectNoun]['address']['param']

/** The field of a body that names one by its id or in a different way: `exclusionGroupId`. */
export const idFieldOf = (name: ProjectNoun): string =>
  `${name.replaceAll(/_(\w)/g, (_all, letter: string) => letter.toUpperCase())}Id`

/** The nouns that the index of a project lists by name. */
type IndexedNoun = Exclude<StoredNoun, 'project' | 'environment' | 'flag'>

export const indexedNouns = storedNouns.filter(
  ({ noun }) => noun !== 'project' && noun !== 'environment' && noun !== 'flag',
) as readonly (At<IndexedNoun> & { table: string })[]

/** The field of the index: `exclusionGroups`. */
export const indexFieldOf = ({ path }: { path: string }): string =>
  path.replaceAll(/[-/](\w)/g, (_all, letter: string) => letter.toUpperCase())
