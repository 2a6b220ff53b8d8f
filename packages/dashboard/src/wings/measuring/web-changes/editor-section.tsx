import { NativeSelect, Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { server } from '../../../api.ts'
import { usePlace } from '../../../shell/place.ts'
import { Section } from '../../../ui/layout/section.tsx'
import { TextLink } from '../../../ui/links/links.tsx'
import { isListed } from '../../flags/connect/seen-pages.ts'
import { useMayTest } from '../experiments/experiment.ts'
import type { Design } from './design.ts'
import { OpenEditor } from './open-editor.tsx'
import { tagOf } from './tag.ts'

const settingsPath = '/api/v1/projects/{projectId}/web-settings'

/** The way to the visual editor, which opens on a page of the site. */
export function EditorSection({ design }: { design: Design }) {
  const { experiment, path, pages, canEdit } = design
  const { environments, project } = usePlace()
  const { data } = server.useQuery('get', settingsPath, { params: { path: { projectId: project.id } } })
  const hosts = data?.data.hosts
  const withAddress = pages.flatMap(({ key, name, url }) => (url === null ? [] : [{ key, name, url }]))
  const opens = ({ url }: { url: string }) => hosts !== undefined && isListed(new URL(url).hostname, hosts)
  const [chosen, setChosen] = useState<string>()
  const page = withAddress.find(({ key }) => key === chosen) ?? withAddress.find(opens) ?? withAddress[0]
  const environment = environments.find(({ id }) => id === experiment.envId)
  const isAllowed = page !== undefined && opens(page)
  return (
    <Section title="Visual editor" description="Change the page by clicking on it, on the real site.">
      {canEdit && page && withAddress.length > 1 && (
        <NativeSelect
          label="Opens on"
          value={page.key}
          data={withAddress.map(({ key, name }) => ({ value: key, label: name }))}
          onChange={(event) => setChosen(event.currentTarget.value)}
        />
      )}
      <OpenEditor
        path={{ projectId: path.projectId, experimentId: path.experimentId }}
        variationKey={path.variationKey}
        url={page?.url ?? ''}
        tag={tagOf(environment?.sdkKey ?? 'sdk_…')}
        isDisabled={!canEdit || !isAllowed}
      />
      {canEdit && page === undefined && <NoAddress />}
      {canEdit && page && hosts && !isAllowed && <NotAHost host={new URL(page.url).hostname} />}
      {!canEdit && <CannotEdit design={design} />}
    </Section>
  )
}

const Reason = ({ children }: { children: ReactNode }) => <Text size="sm">{children}</Text>

function CannotEdit({ design: { experiment, variation } }: { design: Design }) {
  const mayEdit = useMayTest()
  if (!mayEdit) return <Reason>Editors and admins can open it.</Reason>
  if (experiment.completedAt !== null || experiment.status === 'ARCHIVED')
    return <Reason>The experiment has ended, so nothing can be edited.</Reason>
  if (variation.redirect) return <Reason>This variation sends its visitors elsewhere, so it changes no page.</Reason>
  return null
}

function NoAddress() {
  const { params } = usePlace()
  const { experiment } = useParams({ from: '/inside/$org/$project/experiments/$experiment/design/$variation' })
  return (
    <Reason>
      No page of the experiment has an address.{' '}
      <TextLink to="/$org/$project/experiments/$experiment/targeting" params={{ ...params, experiment }}>
        Add one to a page
      </TextLink>
      , so that the editor can open it.
    </Reason>
  )
}

function NotAHost({ host }: { host: string }) {
  const { params } = usePlace()
  return (
    <Reason>
      {host} is not among the hosts of this site. Add it in the{' '}
      <TextLink to="/$org/$project/settings/site" params={params}>
        site settings
      </TextLink>
      .
    </Reason>
  )
}
