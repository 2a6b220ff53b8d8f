import { Anchor, Text } from '@mantine/core'
import nodeReceiver from '../../../../../../examples/webhooks/receiver.mjs?raw'
import pythonReceiver from '../../../../../../examples/webhooks/receiver.py?raw'
import { CodeSnippet } from '../../../ui/code/code-snippet.tsx'
import goVerification from './verify.go.txt?raw'
import phpVerification from './verify.php.txt?raw'

/** Code that receives and verifies. The programs for Node and Python are the examples that tests run. */
export function ReceiverCode() {
  return (
    <>
      <CodeSnippet
        label="Receive and verify"
        snippets={[
          { language: 'Node', code: nodeReceiver },
          { language: 'Python', code: pythonReceiver },
          { language: 'Go', code: goVerification },
          { language: 'PHP', code: phpVerification },
        ]}
      />
      <Text size="sm">
        The programs for Node and Python are complete; for Go and PHP it is the part that verifies. More in{' '}
        <Anchor href="/docs/webhooks#write-a-receiver">receiving webhooks</Anchor>.
      </Text>
    </>
  )
}
