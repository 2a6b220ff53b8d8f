import { Button, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../../api.ts'
import { useEditForm } from '../../../shell/edit-form.tsx'
import { useChangedBy } from '../../../shell/live.tsx'
import { SidePanel } from '../../../ui/dialog/side-panel.tsx'
import { ApiForm } from '../../../ui/form/form.tsx'
import { ListField } from '../../../ui/form/list-field.tsx'
import { Variation } from '../../../ui/names/variation.tsx'
import { announce } from '../../../ui/notice/announce.tsx'
import { allOf } from '../../../ui/words/lists.ts'
import { onlyIf, type Versioned, versioned } from '../../../versioned.ts'
import { type Flag, refreshFlag } from '../flags/flag-queries.ts'
import { pathOf, useTargeting } from '../flags/targeting-place.ts'
import type { Allowlist } from '../rules/rule-rows.ts'

const at = '/api/v1/projects/{projectId}/flags/{flagId}/envs/{envId}/overrides'
/** Visitors by the key of their variation. */
type Lists = Record<string, string[]>

/** Edits who always gets which variation. If another person saves meanwhile, the entries of both are kept. */
export function OverridesPanel({ onClose }: { onClose: () => void }) {
  const { flag, environment } = useTargeting()
  const { form, dialog, discard } = useOverridesForm(onClose)
  return (
    <SidePanel title="Individual visitors" description={environment.name} onClose={onClose}>
      <ApiForm
        form={form}
        verb="Save draft"
        summary="Visitors get this with the next publish."
        actions={
          <Button
            variant="default"
            onClick={() => {
              discard()
              onClose()
            }}
          >
            Cancel
          </Button>
        }
      >
        <Text size="sm">
          These visitors get their variation while the flag runs, whatever the rules say. They are not counted in
          results. Paste a list to add many.
        </Text>
        {flag.variations.map(({ id, key, name }, index) => (
          <div key={id}>
            <Variation name={name} place={index} />
            <ListField
              label={`Visitors who always get ${name}`}
              placeholder="Visitor ids"
              values={form.values[key] ?? []}
              onChange={(ids) => {
                for (const [other, theirs] of Object.entries(form.values))
                  if (other !== key && theirs.some((each) => ids.includes(each)))
                    form.set(
                      other,
                      theirs.filter((each) => !ids.includes(each)),
                    )
                form.set(key, ids)
              }}
            />
          </div>
        ))}
      </ApiForm>
      {dialog}
    </SidePanel>
  )
}

function useOverridesForm(onClose: () => void) {
  const place = useTargeting()
  const { flag, environment, inEnvironment, etag } = place
  const client = useQueryClient()
  const path = pathOf(place)
  const changed = useChangedBy('flag', flag.id)
  const drafted = { content: listsOf(flag, inEnvironment.draft.overrides.environmentAllowlist), etag }
  const read = async (): Promise<Versioned<Lists>> => {
    const { content, etag } = versioned(await api.GET(at, { params: { path } }))
    return { content: listsOf(flag, content.environmentAllowlist), etag }
  }
  const { form, dialog, begin } = useEditForm<Lists, unknown>({
    object: `always:${flag.id}:${environment.id}`,
    base: drafted,
    read,
    write: async (lists, since) => {
      const { content } = versioned(await api.GET(at, { params: { path } }))
      const environmentAllowlist = allowlistOf(onceOnly(lists, form.values))
      return api.PUT(at, {
        params: { path, header: onlyIf(since) },
        body: { environmentAllowlist, ruleAllowlists: content.ruleAllowlists },
      })
    },
    done: async () => {
      await refreshFlag(client)
      announce(`Saved. Visitors get this with the next publish to ${environment.name}.`)
      onClose()
    },
    changed,
    labels: Object.fromEntries(flag.variations.map(({ key, name }) => [key, `The list of ${name}`])),
    shown: (_variation, ids) => allOf(ids as string[]) || 'none',
  })
  return { form, dialog, discard: () => begin(drafted) }
}

/** A list for each variation, so that two edits of the same lists are compared. */
const listsOf = ({ variations }: Pick<Flag, 'variations'>, list: Allowlist): Lists =>
  Object.fromEntries(
    variations.map(({ key }) => [key, list.find(({ variationKey }) => variationKey === key)?.userIds ?? []]),
  )

const allowlistOf = (lists: Lists): Allowlist =>
  Object.entries(lists)
    .filter(([, userIds]) => userIds.length > 0)
    .map(([variationKey, userIds]) => ({ variationKey, userIds }))

/** A visitor gets one variation. Of two that two people chose in a merge, it is the one that this form shows. */
function onceOnly(lists: Lists, mine: Lists): Lists {
  const chosen = new Map(Object.entries(mine).flatMap(([key, ids]) => ids.map((id) => [id, key] as const)))
  return Object.fromEntries(
    Object.entries(lists).map(([key, ids]) => [key, ids.filter((id) => (chosen.get(id) ?? key) === key)]),
  )
}
