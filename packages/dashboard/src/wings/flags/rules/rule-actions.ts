import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../api.ts'
import { announce } from '../../../ui/notice/announce.tsx'
import { discard } from '../flags/discard.ts'
import { refreshFlag, showOrder } from '../flags/flag-queries.ts'
import { pathOf, useTargeting } from '../flags/targeting-place.ts'
import { moved, type RuleDefinition, type RuleRow } from './rule-rows.ts'

const at = '/api/v1/projects/{projectId}/flags/{flagId}/envs/{envId}/rules'

/** The edits of rules that need no form. A failure is a value, so that it is shown where it happened. */
export function useRuleActions() {
  const place = useTargeting()
  const client = useQueryClient()
  const work = useMutation({
    mutationFn: (act: () => Promise<unknown>) => act(),
    onSettled: () => refreshFlag(client),
  })
  const on = { place, client, path: pathOf(place), run: work.mutate }
  return { failure: work.error, ...orderActions(on), ...ruleActions(on), ...environmentActions(on) }
}

interface On {
  place: ReturnType<typeof useTargeting>
  client: QueryClient
  path: ReturnType<typeof pathOf>
  run: (act: () => Promise<unknown>) => void
}

function orderActions({ place, client, path, run }: On) {
  const order = (ids: string[]) => {
    showOrder(client, path, ids)
    return api.PUT(`${at}/reorder`, { params: { path }, body: { ruleIds: ids } })
  }

  return {
    move(rule: { id: string; name: string }, step: 1 | -1): boolean {
      const before = place.inEnvironment.draft.rules.map(({ id }) => id)
      const ids = moved(place.inEnvironment.draft.rules, rule.id, step)
      if (!ids) return false
      run(async () => {
        await order(ids)
        announce(`${rule.name} is rule ${ids.indexOf(rule.id) + 1} of ${ids.length}.`, {
          undo: () => run(() => order(before)),
        })
      })
      return true
    },
  }
}

/** The edits of one rule. */
function ruleActions({ place, client, path, run }: On) {
  const createAgain = (rule: RuleDefinition, position: number) =>
    api.POST(at, { params: { path }, body: { ...newRuleOf(rule), position } as never })

  return {
    duplicate({ id, shown }: RuleRow) {
      run(async () => {
        await api.POST(`${at}/{ruleId}/duplicate`, { params: { path: { ...path, ruleId: id } } })
        announce(`${shown.name} is duplicated. The copy is paused.`)
      })
    },
    remove({ id, shown, live }: RuleRow) {
      const position = place.inEnvironment.draft.rules.findIndex((rule) => rule.id === id)
      run(async () => {
        await api.DELETE(`${at}/{ruleId}`, { params: { path: { ...path, ruleId: id } } })
        const message = live
          ? `${shown.name} will be deleted with the next publish.`
          : `${shown.name} is deleted. It was never published.`
        const undo = () =>
          run(() =>
            live ? discard(client, path, [`rules.${id}`]) : (createAgain(shown, position) as Promise<unknown>),
          )
        announce(message, { undo })
      })
    },
    undo({ shown, changes }: RuleRow) {
      run(async () => {
        const putBack = await discard(
          client,
          path,
          changes.map((change) => change.path),
        )
        announce(`${shown.name} matches its live version.`, { undo: putBack })
      })
    },
  }
}

/** The edits of the environment. */
function environmentActions({ place, path, run }: On) {
  return {
    copyFrom(environment: { id: string; name: string }) {
      run(async () => {
        const { data } = await api.POST(`${at}/copy`, { params: { path }, body: { sourceEnvId: environment.id } })
        const { length } = data!.data.rules
        announce(
          length === 0
            ? `${environment.name} has no rules to copy.`
            : `Copied from ${environment.name}: ${length}. The copies are paused.`,
        )
      })
    },
    setDefault(variation: { id: string; key: string }) {
      const before = place.flag.variations.find(({ key }) => key === place.inEnvironment.draft.defaultVariationKey)
      const put = (defaultVariationId: string) =>
        api.PATCH('/api/v1/projects/{projectId}/flags/{flagId}/envs/{envId}', {
          params: { path },
          body: { defaultVariationId },
        })
      run(async () => {
        await put(variation.id)
        announce(
          `Everyone else will get ${variation.key} with the next publish.`,
          before && { undo: () => run(() => put(before.id)) },
        )
      })
    },
  }
}

/** What creates the same rule again. */
function newRuleOf(rule: RuleDefinition) {
  const { id: _id, shortId: _shortId, hashVersion: _version, ...body } = rule
  return body
}
