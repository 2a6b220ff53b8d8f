import { Button, Stack } from '@mantine/core'
import { Skeletons } from '../src/ui/layout/skeletons.tsx'
import { Notice } from '../src/ui/notice/notice.tsx'
import { OnlyFor } from '../src/ui/notice/only-for.tsx'
import { Specimen } from './gallery.tsx'
import { hostile } from './samples.ts'

export default function Notices() {
  return (
    <>
      <Specimen title="Notice">
        <Stack gap="sm">
          <Notice>Attributes of this visitor are in the link.</Notice>
          <Notice
            tone="unpublished"
            title="2 unpublished changes"
            actions={
              <>
                <Button>Review and publish</Button>
                <Button variant="default">Discard</Button>
              </>
            }
          >
            By Ada, 1 hour ago.
          </Notice>
          <Notice tone="warning" title="New weights give 1,204 counted visitors another variation">
            Results start anew as phase 2.
          </Notice>
          <Notice tone="bad" title="Offline since 14:02">
            This is the last known state. Switches are locked.
          </Notice>
          <Notice tone="good">Connected: node, SDK 1.4.0, revision 3.</Notice>
          <Notice tone="note" title={hostile.long} actions={<Button variant="default">Show</Button>}>
            {hostile.markup}
          </Notice>
        </Stack>
      </Specimen>
      <Specimen title="Only for">
        <Stack gap="xs">
          <OnlyFor people={['Olive', 'Ravi']}>Viewers can look, but not publish.</OnlyFor>
          <OnlyFor people={['Olive', 'Ravi', 'Bo', 'Cy', 'Dee']} are="owners">
            Editors can stage changes, but not publish them.
          </OnlyFor>
          <OnlyFor>Your token cannot switch flags.</OnlyFor>
        </Stack>
      </Specimen>
      <Specimen title="Skeletons of a table">
        <Skeletons like="table" count={4} />
      </Specimen>
      <Specimen title="Skeletons of cards">
        <Skeletons like="cards" count={2} />
      </Specimen>
      <Specimen title="Skeletons of text">
        <Skeletons count={4} />
      </Specimen>
    </>
  )
}
