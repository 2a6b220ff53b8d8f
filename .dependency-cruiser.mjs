// The arrows of ARCHITECTURE.md. Each rule names what it keeps apart; a broken one fails `npm run check`.
const pureFeatureFile =
  '^packages/server/src/wings/(?!.*/(?:index|routes|queries|actions|worker|metrics|store)\\.ts$)(?!.*\\.test\\.ts$).+\\.ts$'
/** From the ground up: a wing knows those before it. */
const wings = ['people', 'model', 'serving', 'flags', 'measuring', 'telling', 'record', 'setup']
const leaf = '^packages/(core|stats)/src/'
const test = '\\.test\\.ts$'
const io =
  '^(node:)?(fs|net|http|https|dns|tls|child_process|worker_threads|timers|process|os|sqlite|dgram|cluster)(/|$)'
const packages = '(^|/)node_modules/'

export default {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'Imports form a tree of layers, never a ring.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-orphans',
      comment: 'A file that nothing imports is dead.',
      severity: 'error',
      from: { orphan: true, path: '^packages', pathNot: [test, '^packages/dashboard/public/', '/(main|index)\\.ts$', '\\.d\\.ts$', 'config\\.ts$', '/dist/'] },
      to: {},
    },
    {
      name: 'leaf-packages-import-nothing',
      comment: 'core and stats depend on nothing of ours.',
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
      severity: 'error',
      from: { path: leaf, pathNot: test },
      to: { path: packages, pathNot: '(^|/)node_modules/@svc/' },
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
      name: 'dashboard-knows-only-the-client',
      comment: 'It calls the service by its API, as everybody does.',
      severity: 'error',
      from: { path: '^packages/dashboard/' },
      to: { path: '^packages/(?!dashboard|client)' },
    },
    {
      name: 'the-docs-know-nothing-of-ours',
      comment: 'They are made of the files in docs/, which build.ts hands in.',
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
      name: 'the-dashboard-s-ui-knows-no-wing',
      comment: 'Building blocks of pages get what they show as properties.',
      severity: 'error',
      from: { path: '^packages/dashboard/src/ui/', pathNot: test },
      to: { path: '^packages/dashboard/src/(?!ui/)', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'the-dashboard-s-shell-knows-no-wing',
      comment: 'inside.tsx hands in the links, the switches and the person.',
      severity: 'error',
      from: { path: '^packages/dashboard/src/shell/', pathNot: test },
      to: { path: '^packages/dashboard/src/(?!shell/|ui/)' },
    },
    {
      name: 'one-door-per-feature',
      comment: 'Another feature is used through its index.ts.',
      severity: 'error',
      from: { path: '^packages/server/src/wings/([^/]+/[^/]+)/' },
      to: { path: '^packages/server/src/wings/(?!$1/)[^/]+/[^/]+/(?!index\\.ts$)' },
    },
    {
      name: 'wings-open-features-by-their-doors',
      comment: 'What opens a wing uses its features as others do.',
      severity: 'error',
      from: { path: '^packages/server/src/wings/[^/]+/index\\.ts$' },
      to: { path: '^packages/server/src/wings/[^/]+/[^/]+/(?!index\\.ts$)' },
    },
    {
      name: 'features-know-no-opened-wing',
      comment: 'A feature gets what it uses, never the whole platform or another wing.',
      severity: 'error',
      from: { path: '^packages/server/src/wings/[^/]+/[^/]+/', pathNot: test },
      to: { path: '^packages/server/src/(wings/[^/]+/index\\.ts|wing|wings|open-platform)(\\.ts)?$' },
    },
    ...wings.slice(0, -1).map((wing, at) => ({
      name: `${wing}-knows-no-later-wing`,
      comment: `Wings depend on each other in one direction: ${wings.join(' ← ')}.`,
      severity: 'error',
      from: { path: `^packages/server/src/wings/${wing}/`, pathNot: test },
      to: { path: `^packages/server/src/wings/(${wings.slice(at + 1).join('|')})/` },
    })),
    {
      name: 'the-catalogue-is-pure',
      comment: 'Tables that everything else reads: they know zod and each other.',
      severity: 'error',
      from: { path: '^packages/server/src/catalogue/', pathNot: test },
      to: { pathNot: ['^packages/server/src/(catalogue/|fields\\.ts$)', '(^|/)node_modules/zod/'] },
    },
    {
      name: 'pure-files-stay-pure',
      comment: 'In a feature only index, routes, queries, actions, worker, metrics and store touch http, platform or Node IO.',
      severity: 'error',
      from: { path: pureFeatureFile },
      to: {
        path: ['^packages/server/src/(http|platform(?!/queue/hold)|compose|main|run|config)', io, '/(routes|queries|actions|worker|metrics)\\.ts$'],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'pure-files-use-no-packages',
      comment: 'zod describes shapes, re2js, regexpp and refa read patterns, otpauth counts codes, zxcvbn lists passwords: none touches the world.',
      severity: 'error',
      from: { path: pureFeatureFile },
      to: { path: packages, pathNot: '(^|/)node_modules/(zod|re2js|refa|@eslint-community/regexpp|otpauth|@zxcvbn-ts|@svc)/' },
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
