import { sentEvents } from '../deliveries/events.ts'
import type { Kind } from './destination-path.ts'

export interface ConfigField {
  name: string
  label: string
  description: string
  placeholder?: string
  /** How it is typed: one line; several, separated by commas; lines of `Name: value`; JSON; one of these; on or off. */
  as: 'line' | 'list' | 'headers' | 'json' | 'switch' | readonly { value: string; label: string }[]
  isOptional?: true
  /** Whoever has it can act for its owner. The browser never keeps what is typed, and it is typed again after a reload. */
  isSecret?: true
  initial?: string
}

export interface KindRow {
  kind: Kind
  label: string
  /** What it is for, in a sentence. */
  about: string
  /** Where people find what the form asks for. */
  where: string
  fields: readonly ConfigField[]
  /** A form that is valid, for a preview before anything is typed. */
  sample: Record<string, unknown>
}

const address = (label: string, placeholder: string): ConfigField => ({
  name: 'url',
  label,
  description: 'Whoever has this address can write there, so it is kept like a password.',
  placeholder,
  as: 'line',
  isSecret: true,
})

const labels: ConfigField = {
  name: 'labels',
  label: 'Labels',
  description: 'Separated by commas. Every ticket also has the label “svc”.',
  as: 'list',
  isOptional: true,
}

const uuid = '00000000-0000-4000-8000-000000000000'

export const kindRows: readonly KindRow[] = [
  {
    kind: 'SLACK',
    label: 'Slack',
    about: 'A message in a channel of Slack, or of a chat that accepts the same messages, such as Mattermost.',
    where: 'In Slack: Apps → Incoming Webhooks → Add to Slack, choose the channel, and copy the webhook URL.',
    fields: [address('Webhook URL', 'https://hooks.slack.com/services/…')],
    sample: { url: 'https://hooks.slack.com/services/T0/B0/sample' },
  },
  {
    kind: 'TEAMS',
    label: 'Microsoft Teams',
    about: 'A card in a channel of Teams, through a workflow.',
    where:
      'In Teams: the channel → Workflows → “Post to a channel when a webhook request is received”, and copy the address.',
    fields: [address('Workflow URL', 'https://…logic.azure.com/workflows/…')],
    sample: { url: 'https://prod.logic.azure.com/workflows/sample' },
  },
  {
    kind: 'DISCORD',
    label: 'Discord',
    about: 'A message in a channel of Discord.',
    where: 'In Discord: Edit channel → Integrations → Webhooks → New webhook → Copy webhook URL.',
    fields: [address('Webhook URL', 'https://discord.com/api/webhooks/…')],
    sample: { url: 'https://discord.com/api/webhooks/1/sample' },
  },
  {
    kind: 'GOOGLE_CHAT',
    label: 'Google Chat',
    about: 'A card in a space of Google Chat. Messages about one thing stay in one thread.',
    where: 'In Google Chat: the space → Apps & integrations → Webhooks → Add webhook, and copy the link.',
    fields: [address('Webhook URL', 'https://chat.googleapis.com/v1/spaces/…')],
    sample: { url: 'https://chat.googleapis.com/v1/spaces/A/messages?key=k&token=sample' },
  },
  {
    kind: 'PAGERDUTY',
    label: 'PagerDuty',
    about: 'An alarm for problems, resolved when the cause is over. Other events raise no alarm.',
    where: 'In PagerDuty: the service → Integrations → Add integration → Events API V2, and copy the integration key.',
    fields: [
      {
        name: 'routingKey',
        label: 'Integration key',
        description: '32 letters and digits.',
        placeholder: '0123456789abcdef0123456789abcdef',
        as: 'line',
        isSecret: true,
      },
      {
        name: 'region',
        label: 'Region',
        description: 'The service region of the account.',
        as: [
          { value: 'US', label: 'United States' },
          { value: 'EU', label: 'Europe' },
        ],
        initial: 'US',
      },
    ],
    sample: { routingKey: '0123456789abcdef0123456789abcdef' },
  },
  {
    kind: 'GITHUB',
    label: 'GitHub issues',
    about: 'One issue for each problem, with a comment when it happens again, closed when it is over.',
    where:
      'In GitHub: Settings → Developer settings → Fine-grained tokens, for this repository, with “Issues: read and write”.',
    fields: [
      {
        name: 'owner',
        label: 'Owner',
        description: 'The person or organization of the repository.',
        placeholder: 'acme',
        as: 'line',
      },
      {
        name: 'repo',
        label: 'Repository',
        description: 'Its name, as in its address.',
        placeholder: 'web-shop',
        as: 'line',
      },
      {
        name: 'token',
        label: 'Token',
        description: 'It must be able to read and write issues.',
        placeholder: 'github_pat_…',
        as: 'line',
        isSecret: true,
      },
      labels,
      {
        name: 'apiUrl',
        label: 'Address of the API',
        description: 'Only for GitHub Enterprise Server.',
        placeholder: 'https://github.example.com/api/v3',
        as: 'line',
        isOptional: true,
      },
    ],
    sample: { owner: 'acme', repo: 'web-shop', token: 'sample' },
  },
  {
    kind: 'JIRA',
    label: 'Jira Cloud',
    about: 'One issue for each problem, with a comment when it happens again, moved on when it is over.',
    where: 'At id.atlassian.com: Security → API tokens → Create. The token acts as the person who made it.',
    fields: [
      {
        name: 'site',
        label: 'Site',
        description: 'Without a path.',
        placeholder: 'https://acme.atlassian.net',
        as: 'line',
      },
      {
        name: 'email',
        label: 'E-mail',
        description: 'The e-mail address of the account that the token belongs to.',
        as: 'line',
      },
      {
        name: 'token',
        label: 'API token',
        description: 'It can do what the account can do.',
        as: 'line',
        isSecret: true,
      },
      {
        name: 'projectKey',
        label: 'Project key',
        description: 'The letters before the number of an issue.',
        placeholder: 'OPS',
        as: 'line',
      },
      {
        name: 'issueType',
        label: 'Type of issue',
        description: 'The name of an issue type of the project.',
        as: 'line',
        isOptional: true,
        initial: 'Task',
      },
      labels,
      {
        name: 'doneTransitionId',
        label: 'Transition when it is over',
        description: 'The number of a transition. Without it, the issue only gets a comment.',
        placeholder: '31',
        as: 'line',
        isOptional: true,
      },
    ],
    sample: { site: 'https://acme.atlassian.net', email: 'ada@example.org', token: 'sample', projectKey: 'OPS' },
  },
  {
    kind: 'LINEAR',
    label: 'Linear',
    about: 'One issue for each problem, with a comment when it happens again, moved on when it is over.',
    where: 'In Linear: Settings → Security & access → Personal API keys. Copy ids with Ctrl K → “Copy model UUID”.',
    fields: [
      {
        name: 'apiKey',
        label: 'API key',
        description: 'It acts as the person who made it.',
        placeholder: 'lin_api_…',
        as: 'line',
        isSecret: true,
      },
      {
        name: 'teamId',
        label: 'Team',
        description: 'The id of the team that gets the issues.',
        placeholder: uuid,
        as: 'line',
      },
      { name: 'labelIds', label: 'Labels', description: 'Ids, separated by commas.', as: 'list', isOptional: true },
      {
        name: 'doneStateId',
        label: 'State when it is over',
        description: 'The id of a state. Without it, the issue only gets a comment.',
        as: 'line',
        isOptional: true,
      },
    ],
    sample: { apiKey: 'sample', teamId: uuid },
  },
  {
    kind: 'EMAIL',
    label: 'E-mail',
    about: 'A mail to members and others who agree, for each event or together.',
    where:
      'Owners of addresses that belong to no member must agree by mail first. People who left the organization get no more mail.',
    fields: [
      {
        name: 'to',
        label: 'Addresses',
        description: 'Up to 20 addresses, separated by commas.',
        placeholder: 'ada@example.org, grace@example.org',
        as: 'list',
      },
    ],
    sample: { to: ['ada@example.org'] },
  },
  {
    kind: 'TEMPLATE',
    label: 'Template',
    about: 'A custom request, to anything that accepts JSON over https.',
    where: 'See the documentation of the receiver for its address, its headers and the JSON that it accepts.',
    fields: [
      address('Address', 'https://alarms.example.com/in'),
      {
        name: 'method',
        label: 'Method',
        description: 'How it is sent.',
        as: [
          { value: 'POST', label: 'POST' },
          { value: 'PUT', label: 'PUT' },
        ],
        initial: 'POST',
      },
      {
        name: 'headers',
        label: 'Headers',
        description: 'One in each line, such as “X-Api-Key: 1234”. Values are kept like passwords.',
        as: 'headers',
        isSecret: true,
        isOptional: true,
      },
      {
        name: 'body',
        label: 'Body',
        description: 'JSON. In its strings, {{flag.name}} is a path into the event.',
        as: 'json',
        initial: '{\n  "text": "{{event}} in {{project.name}}",\n  "by": "{{triggeredBy.name}}"\n}',
      },
      {
        name: 'sign',
        label: 'Sign requests as a webhook',
        description: 'With a separate secret, which is shown once.',
        as: 'switch',
      },
    ],
    sample: { url: 'https://alarms.example.com/in', body: {} },
  },
]

/** How people meet what a kind sends. */
export function sortOf(kind: Kind): 'CHAT' | 'TICKET' | 'ALARM' | 'MAIL' {
  if (kind === 'PAGERDUTY') return 'ALARM'
  if (kind === 'EMAIL') return 'MAIL'
  return ['JIRA', 'LINEAR', 'GITHUB'].includes(kind) ? 'TICKET' : 'CHAT'
}

/** As the alarm says it. */
export const severityOf = (tone: string): string => ({ BAD: 'critical', WARNING: 'warning' })[tone] ?? 'info'

export const rowOf = (kind: Kind): KindRow => kindRows.find((row) => row.kind === kind)!

export const isKind = (text: string | undefined): text is Kind => kindRows.some(({ kind }) => kind === text)

/** The field of the form: issues of the service name it in the same way. */
export const fieldOf = (name: string) => `config.${name}` as const

/** The fields of the form that the browser must not keep. */
export const secretFieldsOf = (kind: Kind) =>
  rowOf(kind).fields.flatMap(({ name, isSecret }) => (isSecret ? [fieldOf(name)] : []))

export type ConfigValues = Record<`config.${string}`, string>

/** What the form of a config shows at first. */
export const valuesOf = (kind: Kind, config: Record<string, unknown> = {}): ConfigValues =>
  Object.fromEntries(
    rowOf(kind).fields.map(({ name, as, initial = '' }) => [
      fieldOf(name),
      name in config ? textOf(as, config[name]) : initial,
    ]),
  )

function textOf(as: ConfigField['as'], value: unknown): string {
  if (value === null || value === undefined) return ''
  if (as === 'json') return JSON.stringify(value, null, 2)
  if (as === 'list') return (value as string[]).join(', ')
  if (as === 'headers')
    return Object.entries(value as Record<string, string>)
      .map(([name, text]) => `${name}: ${text}`)
      .join('\n')
  return String(value)
}

/** The config of a form. What is optional and empty is left out, or null where it was something before. */
export function configOf(kind: Kind, values: ConfigValues, isEdit = false): Record<string, unknown> {
  return Object.fromEntries(
    rowOf(kind).fields.flatMap(({ name, as, isOptional }) => {
      const text = (values[fieldOf(name)] ?? '').trim()
      if (as === 'list') return [[name, partsOf(text, ',')]]
      if (as === 'headers') return [[name, headersOf(text)]]
      if (as === 'switch') return [[name, text === 'true']]
      if (as === 'json') return [[name, JSON.parse(text) as unknown]]
      if (text === '' && isOptional) return isEdit && nullable.includes(name) ? [[name, null]] : []
      return [[name, text]]
    }),
  )
}

const nullable = ['doneTransitionId', 'doneStateId']

const partsOf = (text: string, separator: string): string[] =>
  text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '')

const headersOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    partsOf(text, '\n').map((line) => {
      const at = line.indexOf(':')
      return at === -1 ? [line, ''] : [line.slice(0, at).trim(), line.slice(at + 1).trim()]
    }),
  )

/** What is wrong with a field before the service is asked. */
export function problemOf(
  { name, label, as, isOptional, placeholder = '' }: ConfigField,
  text: string,
): string | undefined {
  if (as === 'json') {
    try {
      JSON.parse(text)
      return undefined
    } catch {
      return 'Must be JSON.'
    }
  }
  const typed = text.trim()
  if (typed !== '' && placeholder.startsWith('https://') && !isAddress(typed))
    return 'Must be an address that begins with https://.'
  if (name === 'to') {
    const wrong = partsOf(typed, ',').find((each) => !/^[^\s@]+@[^\s@]+$/.test(each))
    if (wrong !== undefined) return `${wrong} is not an e-mail address.`
  }
  if (isOptional || as === 'switch') return undefined
  return typed === ''
    ? `Enter the ${/^[A-Z]{2}/.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1)}.`
    : undefined
}

const isAddress = (text: string): boolean => text.startsWith('https://') && URL.canParse(text)

interface Preset {
  label: string
  events: 'SAFETY' | readonly string[]
}

const allPresets: readonly Preset[] = [
  {
    label: 'Releases',
    events: ['flag.published', 'flag.rule_activated', 'experiment.launched', 'experiment.completed'],
  },
  { label: 'Alarms', events: 'SAFETY' },
  {
    label: 'Commerce',
    events: [
      'commerce.job_failed',
      'commerce.import.completed',
      'recommendation.run.completed',
      'dataset.version.activated',
      'catalog.feed_sync.completed',
    ],
  },
]

/** The presets with events that this version sends. */
export const presets: readonly Preset[] = allPresets.flatMap(({ label, events }): Preset[] => {
  if (events === 'SAFETY') return [{ label, events }]
  const sent = events.filter((name) => sentEvents.includes(name))
  return sent.length > 0 ? [{ label, events: sent }] : []
})
