import { IconFlag } from '@tabler/icons-react'
import { usePlace } from '../../../shell/place.ts'
import { ToSubjects } from '../../../shell/subject.tsx'
import { EmptyState } from '../../../ui/layout/empty-state.tsx'
import { Page } from '../../../ui/layout/page.tsx'

/** A page about flags in a project of web experiments, which only a typed address opens. */
export function NoFlagsHere({ title }: { title: string }) {
  const { project } = usePlace()
  return (
    <Page title={title}>
      <EmptyState icon={<IconFlag size={36} />} title={`${project.name} has no flags`} action={<ToSubjects />}>
        It tests web pages with experiments.
      </EmptyState>
    </Page>
  )
}
