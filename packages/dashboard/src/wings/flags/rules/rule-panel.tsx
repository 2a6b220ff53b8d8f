import { ApiError } from '@svc/client'
import { IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../../api.ts'
import { usePlace } from '../../../shell/place.ts'
import { SidePanel } from '../../../ui/dialog/side-panel.tsx'
import { EmptyState } from '../../../ui/layout/empty-state.tsx'
import { Loaded } from '../../../ui/layout/loaded.tsx'
import { TextLink } from '../../../ui/links/links.tsx'
import { Notice } from '../../../ui/notice/notice.tsx'
import { versioned } from '../../../versioned.ts'
import { pathOf, useTargeting } from '../flags/targeting-place.ts'
import { RuleEditor } from './rule-editor.tsx'
import { newValues, valuesOf } from './rule-form.ts'

const at = '/api/v1/projects/{projectId}/flags/{flagId}/envs/{envId}/rules/{ruleId}'

/** The editor of a rule: `new-rollout`, or the id of one. New A/B tests are experiments. */
export function RulePanel({ which, onClose }: { which: string; onClose: () => void }) {
  const { flag } = useTargeting()
  if (which === 'new-rollout')
    return <RuleEditor type="TARGETED_DELIVERY" initial={{ values: newValues(flag), etag: '' }} onClose={onClose} />
  return <ExistingRule ruleId={which} onClose={onClose} />
}

function ExistingRule({ ruleId, onClose }: { ruleId: string; onClose: () => void }) {
  const place = useTargeting()
  const { params } = usePlace()
  const path = { ...pathOf(place), ruleId }
  const query = useQuery({
    queryKey: ['get', at, { params: { path } }],
    queryFn: async ({ signal }) => versioned(await api.GET(at, { params: { path }, signal })),
    // Always read again, because the form begins with it.
    gcTime: 0,
    retry: false,
  })
  const isGone = query.error instanceof ApiError && query.error.status === 404
  if (query.data) {
    const { content, etag } = query.data
    if (content.experimentId !== null)
      return (
        <SidePanel title={content.name} description="A/B test of an experiment" onClose={onClose}>
          <Notice
            title="Its experiment changes this rule"
            actions={
              <TextLink
                to="/$org/$project/experiments/$experiment"
                params={{ ...params, experiment: content.experimentId }}
              >
                Open the experiment
              </TextLink>
            }
          >
            The experiment launches it, ends it and keeps its results, so the rule cannot be edited or deleted here.
          </Notice>
        </SidePanel>
      )
    return (
      <RuleEditor
        type={content.type}
        ruleId={ruleId}
        initial={{ values: valuesOf(content, place.inEnvironment.draft.overrides), etag }}
        currentEtag={etag}
        isGone={isGone}
        onClose={onClose}
      />
    )
  }
  return (
    <SidePanel title={place.names.rules.get(ruleId) ?? 'Rule'} onClose={onClose}>
      {isGone ? (
        <EmptyState icon={<IconTrash size={36} />} title="This rule was deleted">
          It may be in another environment, or another person has deleted it.
        </EmptyState>
      ) : (
        <Loaded query={query}>{() => null}</Loaded>
      )}
    </SidePanel>
  )
}
