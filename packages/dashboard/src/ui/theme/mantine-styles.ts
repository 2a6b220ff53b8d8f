// One stylesheet for each Mantine component of a first visit; all-pages.ts has those of all others. Styles of parts
// come before the whole. mantine-styles.test.ts names missing ones.
import '@mantine/core/styles/baseline.css'
import '@mantine/core/styles/global.css'
import '@mantine/core/styles/UnstyledButton.css'
import '@mantine/core/styles/VisuallyHidden.css'
import '@mantine/core/styles/Paper.css'
import '@mantine/core/styles/Group.css'
import '@mantine/core/styles/Loader.css'
import '@mantine/core/styles/CloseButton.css'
import '@mantine/core/styles/ActionIcon.css'
import '@mantine/core/styles/Alert.css'
import '@mantine/core/styles/Anchor.css'
import '@mantine/core/styles/Badge.css'
import '@mantine/core/styles/Button.css'
import '@mantine/core/styles/Code.css'
import '@mantine/core/styles/Skeleton.css'
import '@mantine/core/styles/Stack.css'
import '@mantine/core/styles/Text.css'
import '@mantine/core/styles/Title.css'
import 'virtual:theme.css'
import './tokens.css'
import './base.css'

// Begins with the first visit, so that they are there before a page needs them.
void import('../../all-pages.ts')
