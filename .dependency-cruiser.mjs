// The import rules of ARCHITECTURE.md. A violation fails `npm run check`.
const pureFeatureFile =
  '^packages/server/src/wings/(?!.*/(?:index|routes|queries|actions|worker|metrics|store)\\.ts$)(?!.*\\.test\\.ts$).+\\.ts$'
/** In order: a wing can import only the wings before it. */
const wings = ['people', 'model', 'serving', 'flags', 'measuring', 'commerce', 'telling', 'record', 'setup']
const leaf = '^packages/(core|stats|recommend)/src/'
const test = '\\.test\\.ts$'
const io =
  '^(node:)?(fs|net|http|https|dns|tls|child_process|worker_threads|timers|process|os|sqlite|dgram|cluster)(/|$)'
const packages = '(^|/)node_modules/'

export default {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'Imports must not form a cycle.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-orphans',
      comment: 'No file imports this one, so it is not used.',
      severity: 'error',
      from: { orphan: true, path: '^packages', pathNot: [test, '\\.(page|alone|web)\\.ts$', '^packages/dashboard/public/', '/(main|index)\\.ts$', '\\.d\\.ts$', 'config\\.ts$', '/dist/'] },
      to: {},
    },
    {
      name: 'leaf-packages-import-nothing',
      comment: 'core, stats and recommend must not import other packages of the project.',
      severity: 'error',
      from: { path: leaf, pathNot: test },
      to: { path: '^packages/(?!$1/)' },
    },
    {
      name: 'leaf-packages-do-no-io',
      severity: 'error',
      from: { path: leaf, pathNot: test },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'leaf-packages-have-no-dependencies',
      comment: 'Only the distributions of stats come from a library.',
      severity: 'error',
      from: { path: leaf, pathNot: [test, '^packages/stats/src/distributions\\.ts$'] },
      to: { path: packages, pathNot: '(^|/)node_modules/@svc/' },
    },
    {
      name: 'distributions-import-only-stdlib',
      severity: 'error',
      from: { path: '^packages/stats/src/distributions\\.ts$' },
      to: { path: packages, pathNot: '(^|/)node_modules/@stdlib/' },
    },
    {
      name: 'traces-are-loaded-when-needed',
      comment: 'Only otlp.ts knows the SDK of OpenTelemetry, and it is imported dynamically: few services send traces.',
      severity: 'error',
      from: { path: '^packages/server/src/', pathNot: ['^packages/server/src/platform/tracing/otlp\\.ts$', test] },
      to: { path: [`${packages}@opentelemetry/`, '^packages/server/src/platform/tracing/otlp\\.ts$'], dependencyTypesNot: ['dynamic-import', 'type-only'] },
    },
    {
      name: 'fetch-is-not-loaded-by-a-start',
      comment: 'An import of node:http also loads fetch. Take what you need from platform/node-http.ts.',
      severity: 'error',
      from: { path: '^packages/server/src/', pathNot: ['^packages/server/src/platform/node-http\\.ts$', test, '/testing/'] },
      to: { path: '^(node:)?http$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'server-is-nobodys-library',
      severity: 'error',
      from: { path: '^packages/(?!server/)' },
      to: { path: '^packages/server/' },
    },
    {
      name: 'sdk-knows-only-core',
      severity: 'error',
      from: { path: '^packages/sdk/src/' },
      to: { path: '^packages/(?!sdk|core)' },
    },
    {
      name: 'web-knows-only-core-and-sdk',
      comment: 'What pages load must not reach for the service.',
      severity: 'error',
      from: { path: '^packages/web/src/' },
      to: { path: '^packages/(?!web|core|sdk)' },
    },
    {
      name: 'dashboard-knows-only-the-client',
      comment: 'The dashboard must call the service through its API.',
      severity: 'error',
      from: { path: '^packages/dashboard/(?!editor/)' },
      to: { path: '^packages/(?!dashboard|client)' },
    },
    {
      name: 'the-editor-knows-only-messages-and-the-merge',
      comment: 'Pages of customers load the frame of the visual editor, so nothing else of the dashboard is in it.',
      severity: 'error',
      from: { path: '^packages/dashboard/editor/', pathNot: '/vite\\.config\\.ts$' },
      to: {
        path: '^packages/',
        pathNot: [
          '^packages/dashboard/(editor/|src/ui/form/merge(-set)?\\.ts$)',
          '^packages/(client|web/src/(bridge/editor/messages|document)\\.ts)',
        ],
      },
    },
    {
      name: 'the-dashboard-knows-no-editor',
      comment: 'The frame of the visual editor is a build of its own.',
      severity: 'error',
      from: { path: '^packages/dashboard/src/' },
      to: { path: '^packages/dashboard/editor/' },
    },
    {
      name: 'cli-knows-only-the-client-and-what-runs-anywhere',
      comment: 'The command line must call the service through its API. It can evaluate and verify like an SDK.',
      severity: 'error',
      from: { path: '^packages/cli/' },
      to: { path: '^packages/(?!cli|client|core|sdk)' },
    },
    {
      name: 'the-docs-know-nothing-of-ours',
      comment: 'The pages are built only from the files in docs/, which build.ts reads.',
      severity: 'error',
      from: { path: '^packages/docs/' },
      to: { path: '^packages/(?!docs)' },
    },
    {
      name: 'the-renderer-of-the-docs-does-no-io',
      severity: 'error',
      from: { path: '^packages/docs/src/', pathNot: test },
      to: { dependencyTypes: ['core'], pathNot: '^(node:)?path$' },
    },
    {
      name: 'client-knows-nothing-of-ours',
      severity: 'error',
      from: { path: '^packages/client/' },
      to: { path: '^packages/(?!client)' },
    },
    {
      name: 'the-dashboard-s-ui-knows-no-service',
      comment: 'Building blocks of pages must get their content as props.',
      severity: 'error',
      from: { path: '^packages/dashboard/src/ui/', pathNot: test },
      to: { path: '^packages/dashboard/src/(?!ui/)' },
    },
    {
      name: 'the-dashboard-s-calls-know-no-page',
      comment: 'What calls the service must not import what shows the answer.',
      severity: 'error',
      from: { path: '^packages/dashboard/src/(api/|(api|query-client|idempotency)\\.ts)', pathNot: test },
      to: { path: '^packages/dashboard/src/(?!api/|(api|idempotency)\\.ts)' },
    },
    {
      name: 'the-dashboard-s-versions-know-no-shell',
      comment: 'versioned.ts stands between ui/, whose messages it shows, and shell/.',
      severity: 'error',
      from: { path: '^packages/dashboard/src/versioned\\.ts' },
      to: { path: '^packages/dashboard/src/(?!ui/)' },
    },
    {
      name: 'the-dashboard-s-shell-knows-no-wing',
      comment: 'The shell must get what wings hand over from wings.ts, through a context.',
      severity: 'error',
      from: { path: '^packages/dashboard/src/shell/', pathNot: test },
      to: { path: '^packages/dashboard/src/(?!shell/|ui/|api/|(api|versioned)\\.ts)' },
    },
    {
      name: 'one-door-per-feature',
      comment: 'Import other features through their index.ts.',
      severity: 'error',
      from: { path: '^packages/server/src/wings/([^/]+/[^/]+)/' },
      to: { path: '^packages/server/src/wings/(?!$1/)[^/]+/[^/]+/(?!index\\.ts$)' },
    },
    {
      name: 'wings-open-features-by-their-doors',
      comment: 'The index.ts of a wing must import its features through their index.ts.',
      severity: 'error',
      from: { path: '^packages/server/src/wings/[^/]+/index\\.ts$' },
      to: { path: '^packages/server/src/wings/[^/]+/[^/]+/(?!index\\.ts$)' },
    },
    {
      name: 'features-know-no-opened-wing',
      comment: 'A feature must get what it uses as parameters, not the whole platform or another wing.',
      severity: 'error',
      from: { path: '^packages/server/src/wings/[^/]+/[^/]+/', pathNot: test },
      to: { path: '^packages/server/src/(wings/[^/]+/index\\.ts|wing|wings|open-platform)(\\.ts)?$' },
    },
    ...wings.slice(0, -1).map((wing, at) => ({
      name: `${wing}-knows-no-later-wing`,
      comment: `Wings can import each other in one direction only: ${wings.join(' ← ')}.`,
      severity: 'error',
      from: { path: `^packages/server/src/wings/${wing}/`, pathNot: test },
      to: { path: `^packages/server/src/wings/(${wings.slice(at + 1).join('|')})/` },
    })),
    {
      name: 'the-catalogue-is-pure',
      comment: 'The catalogue can import only zod and its own files.',
      severity: 'error',
      from: { path: '^packages/server/src/catalogue/', pathNot: test },
      to: { pathNot: ['^packages/server/src/(catalogue/|fields\\.ts$)', '(^|/)node_modules/zod/'] },
    },
    {
      name: 'pure-files-stay-pure',
      comment: 'In a feature, only index, routes, queries, actions, worker, metrics and store can import http, platform or Node IO.',
      severity: 'error',
      from: { path: pureFeatureFile },
      to: {
        path: ['^packages/server/src/(http|platform(?!/(queue/hold|db/columns|jobs/schedule))|compose|main|run|config)', io, '/(routes|queries|actions|worker|metrics)\\.ts$'],
        pathNot: '^packages/server/src/catalogue/',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'pure-files-use-no-packages',
      comment: 'Pure files can import only packages without IO: zod, re2js, regexpp, refa, otpauth, zxcvbn, isbot, croner, acorn, css-what, parse5, saxes and csv-parse.',
      severity: 'error',
      from: { path: pureFeatureFile },
      to: { path: packages, pathNot: '(^|/)node_modules/(zod|re2js|refa|@eslint-community/regexpp|otpauth|@zxcvbn-ts|isbot|croner|acorn|css-what|parse5|saxes|csv-parse|@svc)/' },
    },
    {
      name: 'queries-hold-no-http',
      severity: 'error',
      from: { path: '/queries\\.ts$' },
      to: { path: '^packages/server/src/http/|/routes\\.ts$|/actions\\.ts$' },
    },
    {
      name: 'platform-and-http-know-no-feature',
      severity: 'error',
      from: { path: '^packages/server/src/(platform|http)/', pathNot: test },
      to: { path: '^packages/server/src/(wings/|wing|open-platform|api|compose|main|run)' },
    },
    {
      name: 'platform-knows-no-http',
      severity: 'error',
      from: { path: '^packages/server/src/platform/' },
      to: { path: '^packages/server/src/http/' },
    },
    {
      name: 'only-the-program-composes',
      severity: 'error',
      from: { path: '^packages/server/src/', pathNot: ['/run\\.ts$', test] },
      to: { path: '^packages/server/src/compose\\.ts$' },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '/dist/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.mjs'],
    },
    moduleSystems: ['es6'],
  },
}
