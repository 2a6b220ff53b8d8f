import { Readable } from 'node:stream'
import { isRefusal, notFound, type Refusal, refuse } from '../../../../catalogue/refusals.ts'
import { type Caller, hasCapability } from '../../../../http/credentials.ts'
import { contentEtag } from '../../../../http/etag.ts'
import type { Route } from '../../../../http/route.ts'
import type { OneOf } from '../../../../nouns/index.ts'
import type { Db } from '../../../../platform/db/index.ts'
import type { Experiment } from '../../../model/experiments/index.ts'
import { webOf } from '../../../model/versions/index.ts'
import { changesBody, changesBodyOf, noContent, type VariationContent } from '../../../model/web/index.ts'
import { whichOf } from '../actions.ts'
import { shownDefinition } from '../present.ts'
import { findPlaces } from '../queries.ts'
import { changesOf, codeOf, saveChanges, saveCode } from './actions.ts'
import { contentOfVersion } from './content.ts'
import { handOffOf } from './hand-off.ts'
import {
  changesSchema,
  codeBody,
  codeSchema,
  handOffQuery,
  handOffSchema,
  savedChangesSchema,
  savedCodeSchema,
  variationParam,
  versionQuery,
} from './schema.ts'
import { contentWarnings } from './warnings.ts'

interface Context {
  db: Db
  one: OneOf<Experiment>
  /** The address of one experiment. */
  url: string
}

/** What the variations of a web experiment do to pages. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a flat list of routes
export function contentRoutes(route: Route, { db, one, url }: Context): void {
  const ofVariation = {
    ...one,
    opensToEditors: true as const,
    params: { ...one.params, ...variationParam },
    async find(params: Parameters<typeof one.find>[0] & { variationKey: string }, caller: Caller) {
      const experiment = await one.find(params, caller)
      if (!experiment) return undefined
      if (experiment.type !== 'WEB') return doesNothingToPages
      const place = (await findPlaces(db, [experiment.id])).get(experiment.id)!
      const isThere = shownDefinition(experiment, place).variations.some(({ key }) => key === params.variationKey)
      return isThere ? experiment : undefined
    },
  }
  const changes = { ...ofVariation, url: `${url}/variations/:variationKey/changes` }
  const code = { ...ofVariation, url: `${url}/variations/:variationKey/code` }

  route({
    ...ofVariation,
    url: `${url}/variations/:variationKey/hand-off`,
    method: 'GET',
    operationId: 'getHandOff',
    summary: 'Get what to build in for a variation',
    description:
      'Returns what makes a variation part of the site: each change as a sentence with before and after, HTML, CSS, code and a checklist. It works in every status: from what ran once the experiment is completed, else from what was published last, and before the launch from the draft. With `format=md`, the answer is a Markdown file.',
    scope: 'experiments:read',
    query: handOffQuery,
    data: handOffSchema,
    downloads: { [markdownType]: '# Price in the headline: build in “With price”' },
    async handle({ found, params: { variationKey }, query }) {
      const place = (await findPlaces(db, [found.id])).get(found.id)
      const made = place && handOffOf(found, place, variationKey)
      if (!made) return notFound('Variation')
      if (query.format === 'json') return { data: made }
      const name = `experiment-${found.shortId}-${variationKey}.md`
      return { download: { name, mediaType: markdownType, content: Readable.from([made.markdown]) } }
    },
  })

  async function contentIn(
    experiment: Experiment,
    variationKey: string,
    version: 'DRAFT' | 'LIVE',
  ): Promise<VariationContent | Refusal> {
    const place = (await findPlaces(db, [experiment.id])).get(experiment.id)!
    const { variations } = shownDefinition(experiment, place)
    const variation = variations.find(({ key }) => key === variationKey)
    if (!variation) return notFound('Variation')
    // Nobody gets anything before the launch.
    if (version === 'LIVE' && experiment.launchedAt === null) return noContent
    return contentOfVersion(experiment, place, version).variations[variation.id] ?? noContent
  }

  route({
    ...changes,
    method: 'GET',
    operationId: 'getVariationChanges',
    summary: 'Get what a variation changes on pages',
    description:
      'Returns the whole set of changes, in order, and the CSS. The ETag is about the version that is asked for.',
    scope: 'experiments:read',
    query: versionQuery,
    data: changesSchema,
    etag: true,
    async handle({ found, params, query }) {
      const content = await contentIn(found, params.variationKey, query.version)
      if (isRefusal(content)) return content
      const shown = changesOf(content)
      return { data: shown, etag: contentEtag(shown) }
    },
  })

  route({
    ...changes,
    method: 'PUT',
    operationId: 'setVariationChanges',
    summary: 'Replace what a variation changes on pages',
    description:
      'Saves the whole set in the draft, so nothing reaches visitors before a launch or a publish. Every fault is named with its path. With `dryRun`, everything is checked and nothing is saved.',
    scope: 'experiments:write',
    body: changesBody,
    async bodyFor({ id }) {
      const place = (await findPlaces(db, [id])).get(id)
      return place ? changesBodyOf(webOf(place.draft).pages.map(({ key }) => key)) : changesBody
    },
    data: savedChangesSchema,
    conditional: true,
    etag: true,
    async handle({ caller, found, params, by, body, ifMatch }) {
      const { dryRun, ...wanted } = body
      const via = caller.editor ? 'EDITOR' : 'API'
      const saving = { which: whichOf(caller, found), variationKey: params.variationKey, ifMatch, dryRun, via } as const
      const saved = await saveChanges(db, by, saving, wanted)
      if (isRefusal(saved)) return saved
      const shown = changesOf(saved.content)
      const { differences } = saved
      return {
        data: { ...shown, differences, warnings: contentWarnings(shown.changes) },
        etag: contentEtag(shown),
      }
    },
  })

  route({
    ...code,
    method: 'GET',
    operationId: 'getVariationCode',
    summary: 'Get the code of a variation',
    scope: 'experiments:read',
    query: versionQuery,
    data: codeSchema,
    etag: true,
    async handle({ found, params, query }) {
      const content = await contentIn(found, params.variationKey, query.version)
      if (isRefusal(content)) return content
      const shown = codeOf(content)
      return { data: shown, etag: contentEtag(shown) }
    },
  })

  route({
    ...code,
    method: 'PUT',
    operationId: 'setVariationCode',
    summary: 'Replace the code of a variation',
    description:
      'Saves the code in the draft. The service reads it and never runs it. People need the capability `edit_code_variations` in their role; for a service token, its scope is enough. With `dryRun`, the code is checked and nothing is saved.',
    scope: 'experiments:write',
    body: codeBody,
    data: savedCodeSchema,
    refusals: ['capability_missing'],
    conditional: true,
    etag: true,
    async handle({ caller, found, params, by, body, ifMatch }) {
      if (!hasCapability(caller, 'edit_code_variations')) return lacksCapability
      const saving = { which: whichOf(caller, found), variationKey: params.variationKey, ifMatch, dryRun: body.dryRun }
      const saved = await saveCode(db, by, saving, body)
      if (isRefusal(saved)) return saved
      const shown = codeOf(saved.content)
      return { data: { ...shown, differences: saved.differences }, etag: contentEtag(shown) }
    },
  })
}

const doesNothingToPages = refuse(
  'not_found',
  'This experiment tests a flag. Only the variations of web experiments have changes, code and a hand-off.',
)

const markdownType = 'text/markdown; charset=utf-8'

const lacksCapability = refuse(
  'capability_missing',
  'Your role does not have the capability edit_code_variations, which changing code requires.',
  { capability: 'edit_code_variations' },
)
