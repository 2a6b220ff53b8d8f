export const capabilityTexts = {
  view_reports: 'See the results of experiments and A/B tests.',
  export_data: 'Export results, as files or through the API. This gives the same rights as seeing them.',
  manage_projects: 'Create projects, and change and publish their environments.',
  edit_project_settings:
    'Change the settings of projects and their environments, and publish. This gives the same rights as creating projects.',
  create_experiments:
    'Create, change, run and pause experiments, flags and rules, with their audiences, segments and metrics.',
  edit_code_variations:
    'Change experiments, including the code of their variations. This also gives the right to launch and stop them.',
  manage_integrations: 'Set up webhooks, integrations, the catalog, datasets and recommendations.',
}

export type Capability = keyof typeof capabilityTexts

export const capabilities = Object.keys(capabilityTexts) as Capability[]

interface ScopeRow {
  /** One sentence, shown where people choose scopes. */
  text: string
  /** What gives the scope to the holder of a personal token: every membership, a capability, or a built-in role. */
  givenBy: readonly ('MEMBERSHIP' | 'ADMINISTRATOR' | Capability)[]
  /** Tokens can have the scope, but no public route requires it. A test compares this with the routes. */
  ineffective?: true
}

/**
 * The scopes, the scopes that each capability gives, and the scopes of each kind of token. No other file decides this.
 */
const table = {
  'org:read': { text: 'Read the organization: its name and its features.', givenBy: ['MEMBERSHIP'] },
  'org:write': { text: 'Change the organization.', givenBy: [], ineffective: true },
  'projects:read': { text: 'Read projects and their environments, including SDK keys.', givenBy: ['MEMBERSHIP'] },
  'projects:write': {
    text: 'Create and change projects and environments, and publish staged changes.',
    givenBy: ['manage_projects', 'edit_project_settings'],
  },
  'experiments:read': { text: 'Read experiments, exclusion groups and holdouts.', givenBy: ['MEMBERSHIP'] },
  'experiments:write': {
    text: 'Create, change, launch and stop experiments; create and change exclusion groups and holdouts.',
    givenBy: ['create_experiments', 'edit_code_variations'],
  },
  'flags:read': { text: 'Read flags, their variations, rules and overrides.', givenBy: ['MEMBERSHIP'] },
  'flags:write': {
    text: 'Create and change flags and their rules, and run and pause them for visitors.',
    givenBy: ['create_experiments'],
  },
  'audiences:read': { text: 'Read audiences.', givenBy: ['MEMBERSHIP'] },
  'audiences:write': { text: 'Create and change audiences.', givenBy: ['create_experiments'] },
  'segments:read': { text: 'Read segments.', givenBy: ['MEMBERSHIP'] },
  'segments:write': { text: 'Create and change segments, and read their members.', givenBy: ['create_experiments'] },
  'metrics:read': { text: 'Read metrics.', givenBy: ['MEMBERSHIP'] },
  'metrics:write': { text: 'Create and change metrics.', givenBy: ['create_experiments'] },
  'results:read': { text: 'Read the results of experiments and A/B tests.', givenBy: ['view_reports', 'export_data'] },
  'members:read': {
    text: 'Read the members of the organization, with names and e-mail addresses.',
    givenBy: ['MEMBERSHIP'],
  },
  'members:write': {
    text: 'Invite and remove people, and change their roles and projects.',
    givenBy: ['ADMINISTRATOR'],
  },
  'roles:read': { text: 'Read the roles and what they allow.', givenBy: ['MEMBERSHIP'] },
  'roles:write': { text: 'Create, change and delete custom roles.', givenBy: ['ADMINISTRATOR'] },
  'webhooks:read': { text: 'Read webhooks, their deliveries and the events.', givenBy: ['MEMBERSHIP'] },
  'webhooks:write': {
    text: 'Create and change webhooks, rotate their signing secrets and send deliveries again.',
    givenBy: ['manage_integrations'],
  },
  'integrations:read': { text: 'Read destinations and their deliveries.', givenBy: ['MEMBERSHIP'] },
  'integrations:write': {
    text: 'Create and change destinations, and send deliveries to them again.',
    givenBy: ['manage_integrations'],
  },
  'catalog:read': { text: 'Read the product catalog and background jobs.', givenBy: ['MEMBERSHIP'] },
  'catalog:write': {
    text: 'Change the product catalog and its feeds; cancel and retry background jobs.',
    givenBy: ['manage_integrations'],
  },
  'datasets:read': { text: 'Read datasets and their versions.', givenBy: ['MEMBERSHIP'] },
  'datasets:write': {
    text: 'Create and change datasets, and create and activate their versions.',
    givenBy: ['manage_integrations'],
  },
  'recommendations:read': {
    text: 'Read placements, recommendation models and their runs, and preview recommendations.',
    givenBy: ['MEMBERSHIP'],
  },
  'recommendations:write': {
    text: 'Create and change placements and recommendation models, and run models.',
    givenBy: ['manage_integrations'],
  },
  'orders:read': { text: 'Read orders, and what they add up to.', givenBy: ['MEMBERSHIP'] },
  'audit:read': { text: 'Read and export the audit log of the whole organization.', givenBy: ['ADMINISTRATOR'] },
  'tokens:read': { text: 'Read service tokens.', givenBy: [], ineffective: true },
  'tokens:write': { text: 'Create, rotate and revoke service tokens.', givenBy: [], ineffective: true },
  'admin:*': { text: 'All scopes, including those added later. For infrastructure as code.', givenBy: [] },
} as const satisfies Record<string, ScopeRow>

export type Scope = keyof typeof table

const rows: Record<Scope, ScopeRow> = table

export const scopes = Object.keys(rows) as Scope[]

export const scopeText = (scope: Scope): string => rows[scope].text

export const ineffectiveScopes: ReadonlySet<Scope> = new Set(scopes.filter((scope) => rows[scope].ineffective))

/** The features that the operator can turn on and off for an organization. A new organization has all of them. */
export const planFeatures = ['integrations_api_export'] as const

export type PlanFeature = (typeof planFeatures)[number]

export const builtInRoles = {
  OWNER: [...capabilities],
  ADMIN: [...capabilities],
  EDITOR: ['view_reports', 'export_data', 'create_experiments', 'edit_code_variations'],
  ANALYST: ['view_reports', 'export_data'],
  VIEWER: [],
} as const satisfies Record<string, readonly Capability[]>

export type BuiltInRole = keyof typeof builtInRoles

const given = (by: ScopeRow['givenBy'][number]): Scope[] => scopes.filter((scope) => rows[scope].givenBy.includes(by))

/** The scopes of every member, in any role. */
export const membershipScopes: readonly Scope[] = given('MEMBERSHIP')

const administratorScopes: readonly Scope[] = given('ADMINISTRATOR')

export const capabilityScopes = Object.fromEntries(
  capabilities.map((capability) => [capability, given(capability)]),
) as Record<Capability, Scope[]>

/** The scopes of a personal token whose holder has this role. They are derived for each request and never stored. */
export function scopesOfRole(role: { name: string; builtIn: boolean; capabilities: readonly string[] }): Set<Scope> {
  const granted = new Set(membershipScopes)
  for (const capability of role.capabilities)
    for (const scope of capabilityScopes[capability as Capability] ?? []) granted.add(scope)
  if (role.builtIn && (role.name === 'OWNER' || role.name === 'ADMIN'))
    for (const scope of administratorScopes) granted.add(scope)
  return granted
}

export function holdsScope(held: ReadonlySet<Scope>, needed: Scope): boolean {
  return held.has(needed) || held.has('admin:*')
}
