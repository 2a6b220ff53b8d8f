import type { Level } from '../wing.ts'

/** Something that a button on a page begins. The palette opens the page with it. */
interface Verb {
  label: string
  level: Level
  to: string
  search?: object
  scope: string
  /** Only in projects of this type. */
  type?: 'FEATURE_FLAG' | 'WEB'
}

const create = { panel: 'create' }
const inProject = '/$org/$project'

/** What people make or begin, wherever they are. */
export const verbs: readonly Verb[] = [
  { ...ofProject('Create a flag', 'flags', 'flags:write'), type: 'FEATURE_FLAG' },
  ofProject('Create an experiment', 'experiments', 'experiments:write'),
  ofProject('Create an audience', 'audiences', 'audiences:write'),
  ofProject('Create a segment', 'segments', 'segments:write'),
  ofProject('Create a metric', 'metrics', 'metrics:write'),
  ofProject('Create a holdout', 'holdouts', 'experiments:write'),
  ofProject('Create an exclusion group', 'exclusion-groups', 'experiments:write'),
  ofProject('Create a webhook', 'integrations/webhooks', 'webhooks:write'),
  ofProject('Connect a product feed', 'commerce/sources', 'catalog:write'),
  ofProject('Create a placement', 'commerce/placements', 'recommendations:write'),
  ofProject('Create a model', 'commerce/models', 'recommendations:write'),
  ofProject('Create a dataset', 'commerce/datasets', 'datasets:write'),
  {
    label: 'Create a destination',
    level: 'project',
    to: `${inProject}/integrations/destinations/new`,
    scope: 'integrations:write',
  },
  {
    label: 'Compare environments',
    level: 'project',
    to: `${inProject}/compare`,
    scope: 'flags:read',
    type: 'FEATURE_FLAG',
  },
  {
    label: 'Find stale flags',
    level: 'project',
    to: `${inProject}/flags`,
    search: { use: 'stale' },
    scope: 'flags:read',
    type: 'FEATURE_FLAG',
  },
  { label: 'Roll back a publish', level: 'project', to: `${inProject}/history`, scope: 'flags:read' },
  {
    label: 'Try a visitor',
    level: 'project',
    to: `${inProject}/playground`,
    scope: 'flags:read',
    type: 'FEATURE_FLAG',
  },
  {
    label: 'Invite a person',
    level: 'organization',
    to: '/$org/settings/members',
    search: { panel: 'invite' },
    scope: 'members:write',
  },
  { label: 'Create a service token', level: 'organization', to: '/$org/settings/tokens/new', scope: 'tokens:write' },
]

function ofProject(label: string, path: string, scope: string): Verb {
  return { label, level: 'project', to: `${inProject}/${path}`, search: create, scope }
}
