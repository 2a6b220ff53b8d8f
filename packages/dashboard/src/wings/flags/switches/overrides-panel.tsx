import { Button, Stack, Text } from '@mantine/core'
import { ApiError } from '@svc/client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api.ts'
import { announce } from '../../../ui/announce.tsx'
import { FailureNotice } from '../../../ui/failure-notice.tsx'
import { ListField } from '../../../ui/list-field.tsx'
import { merge } from '../../../ui/merge.ts'
import { SidePanel } from '../../../ui/side-panel.tsx'
import { Variation } from '../../../ui/variation.tsx'
import { onlyIf, versioned } from '../../../versioned.ts'
import { refreshFlag } from '../flags/flag-queries.ts'
import { pathOf, useTargeting } from '../flags/targeting-place.ts'
import type { Allowlist } from '../rules/rule-rows.ts'

const at = '/api/v1/projects/{projectId}/flags/{flagId}/envs/{envId}/overrides'
type Lists = Record<string, string[]>

/** Edits who always gets which variation. If another person saves meanwhile, the entries of both are kept. */
export function OverridesPanel({ onClose }: { onClose: () => void }) {
  const place = useTargeting()
  const { flag, environment } = place
  const client = useQueryClient()
  const path = pathOf(place)
  const [base] = useState(() => ({
    lists: listsOf(place.inEnvironment.draft.overrides.environmentAllowlist),
    etag: place.etag,
  }))
  const [lists, setLists] = useState(base.lists)
  const put = async (wanted: Lists, etag: string, ruleAllowlists: { ruleId: string; entries: Allowlist }[]) =>
    api.PUT(at, {
      params: { path, header: onlyIf(etag) },
      body: { environmentAllowlist: allowlistOf(wanted), ruleAllowlists },
    })
  const save = useMutation({
    mutationFn: async () => {
      try {
        await put(lists, base.etag, place.inEnvironment.draft.overrides.ruleAllowlists)
      } catch (error) {
        if (!(error instanceof ApiError && error.status === 412)) throw error
        const { content, etag } = versioned(await api.GET(at, { params: { path } }))
        const { values } = merge<Lists>(base.lists, lists, listsOf(content.environmentAllowlist))
        await put(values, etag, content.ruleAllowlists)
      }
    },
    onSuccess: async () => {
      await refreshFlag(client)
      announce(`Saved. Visitors get this with the next publish to ${environment.name}.`)
      onClose()
    },
  })
  return (
    <SidePanel
      title="Always"
      description={environment.name}
      onClose={onClose}
      actions={
        <>
          <Button loading={save.isPending} onClick={() => save.mutate()}>
            Save draft
          </Button>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
        </>
      }
    >
      <Stack gap="md">
        <Text size="sm">
          These visitors get their variation while the flag runs, whatever the rules say. They are not counted in
          results. Paste a list to add many.
        </Text>
        <FailureNotice error={save.error} />
        {flag.variations.map(({ id, key, name }, index) => (
          <div key={id}>
            <Variation name={name} place={index} />
            <ListField
              label={`Visitors who always get ${name}`}
              placeholder="Visitor ids"
              values={lists[key] ?? []}
              onChange={(ids) => setLists({ ...without(lists, ids), [key]: ids })}
            />
          </div>
        ))}
      </Stack>
    </SidePanel>
  )
}

const listsOf = (list: Allowlist): Lists =>
  Object.fromEntries(list.map(({ variationKey, userIds }) => [variationKey, userIds]))

const allowlistOf = (lists: Lists): Allowlist =>
  Object.entries(lists)
    .filter(([, userIds]) => userIds.length > 0)
    .map(([variationKey, userIds]) => ({ variationKey, userIds }))

/** A visitor gets one variation: an id that is added to one list leaves the others. */
const without = (lists: Lists, ids: readonly string[]): Lists =>
  Object.fromEntries(Object.entries(lists).map(([key, others]) => [key, others.filter((id) => !ids.includes(id))]))
