import { createRequire } from 'node:module'
import { compile, type DataFile } from '@svc/core'
import { createClient } from '../../packages/sdk/src/index.ts'
import { bareOf, detailedOf } from './closures.ts'
import type { Kind, Piece, User } from './work.ts'
import { countries, dataFileOf, emailSuffix, fourKeys, leastVersion } from './work.ts'

/** An evaluator: `prepare` converts the flags to its own form and is not measured; `load` is. */
export interface Contender<Payload> {
  prepare(pieces: Piece[]): Payload
  load(payload: Payload, pieces: Piece[]): Loaded
}

/** A loaded evaluator. `context` converts a visitor to its own form; `askAll` counts the true flags. */
export interface Loaded {
  context(user: User): unknown
  ask: Record<Kind, (context: unknown) => unknown>
  askAll(context: unknown): number
}

// biome-ignore lint/suspicious/noExplicitAny: peers are optional, so their types can be missing.
type Peer = any

const parsed = (file: DataFile): DataFile => JSON.parse(JSON.stringify(file))
const same = (user: User): User => user

/** Contenders by name; undefined if a peer is not installed. */
export const contenders: Record<string, () => Promise<Contender<Peer> | undefined>> = {
  bare: async () => ({
    prepare: (pieces) => pieces,
    load: (pieces: Piece[]) => {
      const flags = new Map(pieces.map((piece) => [piece.key, bareOf(piece)]))
      return loaded<User>(pieces, same, (key, _kind, user) => flags.get(key)?.(user))
    },
  }),

  detailed: async () => ({
    prepare: (pieces) => pieces,
    load: (pieces: Piece[]) => {
      const flags = new Map(pieces.map((piece) => [piece.key, detailedOf(piece)]))
      return loaded<User>(pieces, same, (key, _kind, user) => flags.get(key)?.(user).value)
    },
  }),

  core: async () => ({
    prepare: (pieces) => parsed(dataFileOf(pieces)),
    load: (file: DataFile, pieces) => {
      const { evaluate, evaluateAll } = compile(file)
      return loaded<User>(pieces, same, (key, _kind, user) => evaluate(key, user).value, evaluateAll)
    },
  }),

  sdk: async () => ({
    prepare: (pieces) => parsed(dataFileOf(pieces)),
    load: (bootstrap: DataFile, pieces) => {
      const client = createClient({ sdkKey: 'sdk_bench', baseUrl: 'http://127.0.0.1', bootstrap, offline: true })
      const ask = (key: string, kind: Kind, user: User) =>
        kind === 'c' ? client.getDetails(key, '', user).value : client.getDetails(key, false, user).value
      return loaded<User>(pieces, same, ask, client.getAllDetails)
    },
  }),

  '@openfeature/flagd-core': () =>
    peer('@openfeature/flagd-core', ({ FlagdCore }) => ({
      prepare: (pieces) => JSON.stringify({ flags: Object.fromEntries(pieces.map(flagdFlag)) }),
      load: (text: string, pieces) => {
        const flagd = new FlagdCore()
        flagd.setConfigurations(text)
        return loaded<object>(pieces, same, (key, kind, context) =>
          kind === 'c'
            ? flagd.resolveStringEvaluation(key, '', context).value
            : flagd.resolveBooleanEvaluation(key, false, context).value,
        )
      },
    })),

  '@amplitude/experiment-core': () =>
    peer('@amplitude/experiment-core', ({ EvaluationEngine }) => ({
      prepare: (pieces) => pieces.map(amplitudeFlag),
      load: (flags: Peer[], pieces) => {
        const engine = new EvaluationEngine()
        const alone = new Map(flags.map((flag) => [flag.key, [flag]]))
        return {
          ...loaded<object>(
            pieces,
            ({ targetingKey, ...attributes }) => ({ user: { user_id: targetingKey, ...attributes } }),
            (key, _kind, context) => engine.evaluate(context, alone.get(key))[key]?.value,
          ),
          askAll(context) {
            const given: { value: unknown }[] = Object.values(engine.evaluate(context, flags))
            return given.filter(({ value }) => value === true).length
          },
        }
      },
    })),

  'unleash-client': () =>
    peer('unleash-client/lib/client.js', ({ default: UnleashClient }, require) => ({
      prepare: (pieces) => new Map(pieces.map(unleashToggle)),
      load: (toggles: Map<string, Peer>, pieces) => {
        const repository = { getToggle: (key: string) => toggles.get(key), getSegment: () => undefined }
        const client = new UnleashClient(repository, require('unleash-client/lib/strategy/index.js').defaultStrategies)
        const no = () => false
        return loaded<object>(
          pieces,
          ({ targetingKey, ...properties }) => ({ userId: targetingKey, properties }),
          (key, kind, context) =>
            kind === 'c' ? client.getVariant(key, context).name : client.isEnabled(key, context, no),
        )
      },
    })),

  '@growthbook/growthbook': () =>
    peer('@growthbook/growthbook', ({ GrowthBookClient }) => ({
      prepare: (pieces) => ({ features: Object.fromEntries(pieces.map(growthbookFeature)) }),
      load: (payload: object, pieces) => {
        const client = new GrowthBookClient({}).initSync({ payload })
        return loaded<object>(
          pieces,
          ({ targetingKey, ...attributes }) => ({ attributes: { id: targetingKey, ...attributes } }),
          (key, _kind, context) => client.evalFeature(key, context).value,
        )
      },
    })),

  '@featurevisor/sdk': () =>
    peer('@featurevisor/sdk', ({ createInstance }) => ({
      prepare: (pieces) => featurevisorFile(pieces),
      load: (datafile: object, pieces) => {
        const instance = createInstance({ datafile, logLevel: 'fatal' })
        return loaded<object>(
          pieces,
          ({ targetingKey, ...attributes }) => ({ userId: targetingKey, ...attributes }),
          (key, kind, context) =>
            kind === 'c' ? instance.getVariation(key, context) : instance.isEnabled(key, context),
        )
      },
    })),
}

function loaded<Context>(
  pieces: Piece[],
  context: (user: User) => Context,
  ask: (key: string, kind: Kind, context: Context) => unknown,
  askEvery?: (context: Context) => Map<string, { value: unknown }>,
): Loaded {
  const first = (kind: Kind) => {
    const key = pieces.find((piece) => piece.kind === kind)?.key ?? ''
    return (of: unknown) => ask(key, kind, of as Context)
  }
  return {
    context,
    ask: { a: first('a'), b: first('b'), c: first('c') },
    askAll(of) {
      let given = 0
      if (askEvery) for (const { value } of askEvery(of as Context).values()) given += Number(value === true)
      else for (const { key, kind } of pieces) if (ask(key, kind, of as Context) === true) given++
      return given
    },
  }
}

async function peer(
  path: string,
  make: (exports: Peer, require: NodeJS.Require) => Contender<Peer>,
): Promise<Contender<Peer> | undefined> {
  const require = createRequire(new URL('peers/package.json', import.meta.url))
  try {
    require.resolve(path)
  } catch {
    return undefined
  }
  return make(require(path), require)
}

const twoVariants = { on: true, off: false }

function flagdFlag({ key, kind }: Piece): [string, object] {
  const shared = { state: 'ENABLED', variants: twoVariants }
  const conditions = [
    { in: [{ var: 'country' }, countries] },
    { sem_ver: [{ var: 'version' }, '>=', leastVersion] },
    { ends_with: [{ var: 'email' }, emailSuffix] },
  ]
  const half = { fractional: ['on', 'off'].map((each) => [each, 50]) }
  const flags = {
    a: { ...shared, defaultVariant: 'on' },
    b: { ...shared, defaultVariant: 'off', targeting: { if: [{ and: conditions }, half, 'off'] } },
    c: {
      state: 'ENABLED',
      variants: Object.fromEntries(fourKeys.map((each) => [each, each])),
      defaultVariant: 'north',
      targeting: { fractional: fourKeys.map((each) => [each, 25]) },
    },
  }
  return [key, flags[kind]]
}

const amplitudeRangeEnd = 42_949_673

function amplitudeFlag({ key, kind }: Piece): object {
  const selector = (name: string) => ['context', 'user', name]
  const drawn = (percent: number, variants: string[]) => ({
    selector: selector('user_id'),
    salt: key,
    allocations: [
      {
        range: [0, percent],
        distributions: variants.map((variant, i) => ({
          variant,
          range: [i, i + 1].map((end) => Math.floor((end * amplitudeRangeEnd) / variants.length)),
        })),
      },
    ],
  })
  const conditions = [
    { selector: selector('country'), op: 'is', values: countries },
    { selector: selector('version'), op: 'version greater or equal', values: [leastVersion] },
    { selector: selector('email'), op: 'regex match', values: [`${emailSuffix.replace('.', '\\.')}$`] },
  ]
  const on = { key: 'on', value: true }
  const off = { key: 'off', value: false }
  const flags = {
    a: { variants: { on }, segments: [{ variant: 'on' }] },
    b: {
      variants: { on, off },
      segments: [{ conditions: [conditions], bucket: drawn(50, ['on']), variant: 'off' }, { variant: 'off' }],
    },
    c: {
      variants: Object.fromEntries(fourKeys.map((each) => [each, { key: each, value: each }])),
      segments: [{ bucket: drawn(100, fourKeys) }],
    },
  }
  return { key, ...flags[kind] }
}

function unleashToggle({ key, kind }: Piece): [string, object] {
  const rollout = (percent: number, more: object) => ({
    name: 'flexibleRollout',
    constraints: [],
    parameters: { rollout: String(percent), stickiness: 'userId', groupId: key },
    ...more,
  })
  const constraint = (contextName: string, operator: string, more: object) => ({
    contextName,
    operator,
    inverted: false,
    caseInsensitive: false,
    values: [],
    ...more,
  })
  const strategies = {
    a: [{ name: 'default', constraints: [], parameters: {} }],
    b: [
      rollout(50, {
        constraints: [
          constraint('country', 'IN', { values: countries }),
          constraint('version', 'SEMVER_GTE', { value: leastVersion }),
          constraint('email', 'STR_ENDS_WITH', { values: [emailSuffix] }),
        ],
      }),
    ],
    c: [
      rollout(100, {
        variants: fourKeys.map((name) => ({ name, weight: 250, stickiness: 'userId', weightType: 'variable' })),
      }),
    ],
  }
  return [key, { name: key, enabled: true, type: 'release', variants: [], strategies: strategies[kind] }]
}

function growthbookFeature({ key, kind }: Piece): [string, object] {
  const condition = {
    country: { $in: countries },
    version: { $vgte: leastVersion },
    email: { $regex: `${emailSuffix.replace('.', '\\.')}$` },
  }
  const features = {
    a: { defaultValue: true },
    b: { defaultValue: false, rules: [{ condition, force: true, coverage: 0.5, hashAttribute: 'id', seed: key }] },
    c: {
      defaultValue: 'north',
      rules: [{ key, variations: fourKeys, weights: [0.25, 0.25, 0.25, 0.25], coverage: 1, hashAttribute: 'id' }],
    },
  }
  return [key, features[kind]]
}

function featurevisorFile(pieces: Piece[]): object {
  const whole = 100_000
  const features = (key: string) => ({
    a: { key, bucketBy: 'userId', traffic: [{ key: '1', segments: '*', percentage: whole, allocation: [] }] },
    b: {
      key,
      bucketBy: 'userId',
      traffic: [{ key: '1', segments: 'targeted', percentage: whole / 2, allocation: [] }],
    },
    c: {
      key,
      bucketBy: 'userId',
      variations: fourKeys.map((value) => ({ value })),
      traffic: [
        {
          key: '1',
          segments: '*',
          percentage: whole,
          allocation: fourKeys.map((variation, i) => ({ variation, range: [(i * whole) / 4, ((i + 1) * whole) / 4] })),
        },
      ],
    },
  })
  const targeted = {
    key: 'targeted',
    conditions: [
      { attribute: 'country', operator: 'in', value: countries },
      { attribute: 'version', operator: 'semverGreaterThanOrEquals', value: leastVersion },
      { attribute: 'email', operator: 'endsWith', value: emailSuffix },
    ],
  }
  return {
    schemaVersion: '2',
    revision: '1',
    segments: { targeted },
    features: Object.fromEntries(pieces.map(({ key, kind }) => [key, features(key)[kind]])),
  }
}
