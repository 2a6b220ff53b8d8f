/** A page of the navigation: a Markdown file of docs/ by its name, or one of `madePages`. */
export interface Guide {
  name: string
  /** The sentence under its link on the home page. */
  summary: string
  /** The label in the navigation, if the heading of the page is too long. */
  label?: string
}

export interface Group {
  title: string
  guides: Guide[]
}

/** Pages from other sources: the OpenAPI document and the list of docs/decisions. */
export const madePages = { reference: 'api-reference', decisions: 'decisions' } as const

/** Pages that have become a section of another one. The service redirects their addresses. */
export const movedPages: Readonly<Record<string, string>> = {
  'coming-from-flagsmith': 'comparison#coming-from-flagsmith',
  'coming-from-growthbook': 'comparison#coming-from-growthbook',
  'coming-from-launchdarkly': 'comparison#coming-from-launchdarkly',
  'coming-from-unleash': 'comparison#coming-from-unleash',
  ofrep: 'openfeature#ofrep',
  'openfeature-browser': 'openfeature#in-a-page',
  'python-servers': 'python#servers-that-fork',
  'webhooks-local': 'webhooks#develop-on-your-machine',
  'webhooks-receiving': 'webhooks#write-a-receiver',
}

/** The order of the navigation, and of "next" and "previous". A test checks that every file of docs/ has a row. */
export const groups: Group[] = [
  {
    title: 'Get started',
    guides: [
      { name: 'quickstart', summary: 'From an empty service to a flag that a program and a page follow.' },
      { name: 'sdk', label: 'JavaScript SDK', summary: 'Which import you need, and everything that the client does.' },
      { name: 'node', summary: 'A server that follows changes and starts without the service.' },
      { name: 'browser', label: 'Pages', summary: 'Flags in a page, with a bundler and without.' },
      { name: 'deno', summary: 'A server in Deno.' },
      { name: 'bun', summary: 'A server in Bun.' },
      { name: 'workers', label: 'Workers', summary: 'Cloudflare Workers and other runtimes at the edge.' },
      { name: 'serverless', label: 'Serverless', summary: 'Lambda and other functions, which freeze between calls.' },
      { name: 'react-native', summary: 'Flags in an app, with the storage of the app.' },
      { name: 'typed-flags', summary: 'Keys, variations and values of flags that the compiler checks.' },
      { name: 'react', summary: 'A provider and hooks, with server rendering.' },
      { name: 'nextjs', label: 'Next.js', summary: 'The same flags in server and client components.' },
      { name: 'python', label: 'Python SDK', summary: 'Evaluate flags in Python, with threads, forks and asyncio.' },
      { name: 'openfeature', summary: 'Flags by a vendor-neutral interface, in your program or over HTTP (OFREP).' },
    ],
  },
  {
    title: 'Use flags',
    guides: [
      { name: 'rollout', label: 'Roll out', summary: 'Give a feature to a few, then to more, and take it back.' },
      { name: 'kill-switch', summary: 'Turn off in seconds what is not yours to repair.' },
      { name: 'testing-in-production', summary: 'See a feature in production before any visitor does.' },
      { name: 'targeting', summary: 'Decide which visitors get which variation: conditions, operators, traffic.' },
      { name: 'audiences', summary: 'Conditions and lists of visitors that several rules share.' },
      { name: 'idea-to-decision', summary: 'Test an idea on visitors, and read what came of it.' },
      { name: 'experiments', summary: 'A record around an A/B rule, from the draft to its completion.' },
      { name: 'web-experiments', summary: 'Test variations of web pages, in a project without flags.' },
      {
        name: 'web-tag',
        label: 'The script of web experiments',
        summary: 'Change pages with one tag, under a strict policy, before they are painted.',
      },
      { name: 'visual-editor', summary: 'Change pages where you see them, and save the changes as a draft.' },
      {
        name: 'web-server',
        label: 'Web experiments on a server',
        summary: 'Decide on your server or at the edge: no flash, true redirects, cookies that last.',
      },
      { name: 'metrics', summary: 'The numbers that A/B tests compare between variations.' },
      { name: 'events', summary: 'Report who got which variation, and what visitors did.' },
      { name: 'orders', summary: 'Report orders, and judge tests by revenue and margin.' },
      { name: 'exclusion-groups', summary: 'Keep A/B tests apart, and keep some visitors out of all of them.' },
      { name: 'watching', summary: 'Alarms and daily results of tests, and rules that pause by themselves.' },
      { name: 'statistics', summary: 'What each figure of a test means, and how it is computed.' },
      { name: 'publishing', summary: 'Drafts, live versions, and how a change reaches visitors.' },
      { name: 'testing', label: 'Flags in tests', summary: 'Unit and end-to-end tests that nobody can switch.' },
      {
        name: 'ci',
        label: 'Flags in a pipeline',
        summary: 'Check names, plan, release and wait, in GitHub and GitLab.',
      },
      { name: 'stale-flags', summary: 'What can go from your code, and what is broken in it.' },
      { name: 'schedules', summary: 'Run or pause a flag at a set time.' },
      { name: 'revisions', summary: 'See what changed, explain a value, and go back.' },
      { name: 'catalog', summary: 'The products of a shop: send, find and change them.' },
      { name: 'cli', summary: 'Flags, publishing and results from a terminal or a pipeline.' },
      { name: 'configuration-as-code', summary: 'A file says what a project contains: export, plan and apply.' },
      { name: 'live', label: 'Streaming', summary: 'How SDKs get changes at once, and which instances have them.' },
      {
        name: 'recommendation-models',
        summary: 'Models that recommend products, what they learn from, and their runs.',
      },
      { name: 'catalog-sources', summary: 'Product feeds: their formats, columns and secrets, and what they become.' },
      {
        name: 'recommendations',
        summary: 'Which products a page shows: placements, their variants, and what they bring.',
      },
      {
        name: 'example-shop',
        label: 'The example shop',
        summary: 'From an empty service to what recommendations bring, in revenue and margin net of refunds.',
      },
      { name: 'destinations', summary: 'Notify people through chats, tickets and alarms.' },
      { name: 'webhooks', summary: 'Send events to other systems, and write the receiver.' },
    ],
  },
  {
    title: 'Manage access',
    guides: [
      { name: 'accounts', summary: 'Sign-in, second factors, sessions and identity providers.' },
      { name: 'members', summary: 'Roles, custom roles and access by project.' },
      { name: 'tokens', summary: 'Service tokens and personal tokens for programs.' },
      { name: 'sdk-keys', summary: 'A second key, who still uses the first, and how to revoke it.' },
      { name: 'ingest-keys', summary: 'A secret key with which only your servers can send events that count.' },
      { name: 'erasure', summary: 'Delete what is known about a visitor, without changing results.' },
      { name: 'audit', summary: 'Who did what and when, in a log that reveals tampering.' },
      { name: 'security', summary: 'Each security promise, and the test that checks it.' },
    ],
  },
  {
    title: 'Run the service',
    guides: [
      { name: 'operating', summary: 'Start, back up, upgrade, monitor, and run several nodes.' },
      { name: 'backup', label: 'Backup', summary: 'Back up a running service, restore it, and what to keep apart.' },
      { name: 'move', summary: 'Take everything from the data folder to a PostgreSQL server, and compare it.' },
      { name: 'docker', label: 'Docker', summary: 'One container, or two nodes with PostgreSQL by Compose.' },
      { name: 'kubernetes', label: 'Kubernetes', summary: 'The Helm chart, its values, and what it decides.' },
      { name: 'systemd', label: 'systemd', summary: 'A server of your own behind nginx or Caddy.' },
      { name: 'monitoring', label: 'Monitoring', summary: 'Metrics, twelve alerts, and a dashboard for Grafana.' },
      { name: 'upgrade', summary: 'Install a new version, with one process or several nodes, and the way back.' },
      { name: 'releasing', label: 'Releasing', summary: 'For maintainers: versions, packages, checksums.' },
      { name: 'troubleshooting', summary: 'Find the symptom, then the cause.' },
      { name: 'configuration', summary: 'Every setting with its default.' },
      { name: 'benchmarks', summary: 'Speed, size and memory, and how they were measured.' },
    ],
  },
  {
    title: 'Choose and move',
    guides: [
      {
        name: 'comparison',
        summary: 'What others do better and what Svc does better, and how to move from four of them.',
      },
    ],
  },
  {
    title: 'Reference',
    guides: [
      {
        name: 'api',
        summary: 'What all calls share: requests, errors, pages, ETags, limits.',
      },
      {
        name: madePages.reference,
        summary: 'Every call with its parameters, bodies, responses and an example.',
      },
      {
        name: 'sdk-reference',
        label: 'SDK reference',
        summary: 'Everything that `@svc/sdk` exports, from its docstrings.',
      },
      {
        name: 'python-reference',
        label: 'Python reference',
        summary: 'Everything that `svc_sdk` exports, from its docstrings.',
      },
      { name: 'errors', summary: 'Every error code, and what to do about it.' },
      { name: 'webhook-events', summary: 'Every event and the fields of its body.' },
      { name: 'audit-actions', summary: 'Every action in the audit log, and the events it causes.' },
      { name: 'glossary', summary: 'The terms of Svc and what they mean.' },
      {
        name: 'conformance',
        label: 'SDKs in other languages',
        summary: 'The specification of evaluation, for your own SDK.',
      },
      { name: madePages.decisions, summary: 'The main design decisions and their reasons.' },
    ],
  },
]
