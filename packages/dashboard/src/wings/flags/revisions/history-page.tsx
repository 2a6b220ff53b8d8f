import { ChooseEnvironment } from '../../../shell/choose-environment.tsx'
import { useEnvironment } from '../../../shell/environment.ts'
import { useProjectIndex } from '../../../shell/index-query.ts'
import { usePlace } from '../../../shell/place.ts'
import { Page } from '../../../ui/layout/page.tsx'
import { ButtonLink } from '../../../ui/links/links.tsx'
import { EnvironmentFrame } from '../environments/environment-page.tsx'
import { FlagFrame } from '../flags/flag-frame.tsx'
import { unpublishedIn } from '../flags/unpublished.ts'
import { RevisionList } from './revision-list.tsx'

/** Everything that visitors of a project were served, by environment. */
export function HistoryPage() {
  const { params } = usePlace()
  return (
    <Page
      title="History"
      description="Every change to what visitors get makes a revision. You can look at each one and restore it."
      actions={
        <ButtonLink to="/$org/$project/history/schedules" params={params} variant="default">
          Schedules
        </ButtonLink>
      }
    >
      <InEnvironment />
    </Page>
  )
}

/** The same as a tab of an environment. */
export function EnvironmentHistoryPage() {
  return (
    <EnvironmentFrame tab="History">
      {(environment) => <RevisionList key={environment.id} environment={environment} />}
    </EnvironmentFrame>
  )
}

/** The revisions that changed a flag. */
export function FlagHistoryPage() {
  return <FlagFrame>{({ content }) => <InEnvironment flag={content} />}</FlagFrame>
}

function InEnvironment({ flag }: { flag?: { id: string; key: string; name: string } }) {
  const { environment } = useEnvironment()
  const { data: index } = useProjectIndex()
  return (
    <>
      <ChooseEnvironment panelId="revisions" unpublished={(envId) => unpublishedIn(index, envId, flag?.key)} />
      <section id="revisions" aria-label={`Revisions of ${environment.name}`}>
        <RevisionList key={environment.id} environment={environment} {...(flag && { flag })} />
      </section>
    </>
  )
}
