import { Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { api, server } from '../../../api.ts'
import { useMay, useOrganization } from '../../../shell/session.ts'
import { CodeSnippet } from '../../../ui/code/code-snippet.tsx'
import { SidePanel } from '../../../ui/dialog/side-panel.tsx'
import { Loaded } from '../../../ui/layout/loaded.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { versioned } from '../../../versioned.ts'
import { codePath, type VariationPath } from './change-set.ts'
import type { Design } from './design.ts'

const CodePanel = lazy(async () => ({ default: (await import('./code-panel.tsx')).CodePanel }))

/** The JavaScript of a variation, for what no change can do. */
export function CodeSection({ design }: { design: Design }) {
  const { variation, path, canEdit, go } = design
  const mayEditCode = useMayEditCode()
  const isOffered = canEdit && mayEditCode
  if (!variation.hasCode && !canEdit) return null
  return (
    <Section
      title="Code"
      description="JavaScript that the page runs last, once a view. The service checks it and never runs it."
      actions={
        isOffered && (
          <Button variant="default" onClick={() => go({ panel: 'code' })}>
            {variation.hasCode ? 'Edit code' : 'Add code'}
          </Button>
        )
      }
    >
      {variation.hasCode ? <Shown path={path} /> : <Text size="sm">This variation runs no code.</Text>}
      {canEdit && !mayEditCode && (
        <Text size="sm" c="dimmed">
          Your role does not include editing code. An owner or an admin can add the capability to it.
        </Text>
      )}
    </Section>
  )
}

function Shown({ path }: { path: VariationPath }) {
  const query = useCode(path)
  return (
    <Loaded query={query}>
      {({ content }) => <CodeSnippet label="Code" snippets={[{ language: 'JavaScript', code: content.js ?? '' }]} />}
    </Loaded>
  )
}

/** The form of the code, once the code is read. */
export function CodeForm({ design, onClose }: { design: Design; onClose: () => void }) {
  const query = useCode(design.path)
  const mayEditCode = useMayEditCode()
  if (!mayEditCode) return null
  if (!query.data)
    return (
      <SidePanel title="Code" description={design.variation.name} onClose={onClose}>
        <Loaded query={query}>{() => null}</Loaded>
      </SidePanel>
    )
  return (
    <Suspense>
      <CodePanel design={design} code={query.data} onClose={onClose} />
    </Suspense>
  )
}

const useCode = (path: VariationPath) =>
  useQuery({
    queryKey: ['get', codePath, { params: { path } }],
    queryFn: async ({ signal }) => versioned(await api.GET(codePath, { params: { path }, signal })),
  })

const capability = 'edit_code_variations'
const withCapability = ['OWNER', 'ADMIN', 'EDITOR']

/** Whether the role has the capability. Capabilities of roles that the organization has made are in its list of roles. */
function useMayEditCode(): boolean {
  const role = useOrganization()?.role
  const isKnown = role != null && withCapability.includes(role.name)
  const mayRead = useMay('roles:read')
  const { data } = server.useQuery('get', '/api/v1/roles', {}, { enabled: !isKnown && mayRead })
  return (
    isKnown ||
    (data?.data.some(({ id, capabilities }) => id === role?.id && capabilities.includes(capability)) ?? false)
  )
}
