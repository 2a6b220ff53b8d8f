import {
  Anchor,
  Badge,
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MenuProps,
  type ModalProps,
  type VariantColorsResolver,
} from '@mantine/core'

const fontFamily = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", sans-serif'

/** Filled elements are dark with white text in light mode, and bright with black text in dark mode. */
const variantColorResolver: VariantColorsResolver = (input) => {
  const resolved = defaultVariantColorsResolver(input)
  return input.variant === 'filled' ? { ...resolved, color: 'var(--mantine-primary-color-contrast)' } : resolved
}

/** Mantine's defaults fail WCAG contrast in both schemes. e2e/dashboard checks this theme with axe on every page. */
export const theme = createTheme({
  colors: {
    // From text to ground: surfaces lift from the ground by brightness and by a line.
    dark: [
      '#e8eaee',
      '#c9ced6',
      '#a9b1be',
      '#7c8798',
      '#353d4a',
      '#2e3541',
      '#252b35',
      '#1a1e25',
      '#0e1014',
      '#08090c',
    ],
    gray: [
      '#f6f7f9',
      '#edeff3',
      '#e4e7ec',
      '#dde1e7',
      '#c2c8d1',
      '#9aa2af',
      '#7c8594',
      '#535b69',
      '#343a45',
      '#16191f',
    ],
  },
  primaryColor: 'indigo',
  primaryShade: { light: 8, dark: 4 },
  autoContrast: true,
  // The luminance at which black and white text have equal contrast.
  luminanceThreshold: 0.18,
  variantColorResolver,
  respectReducedMotion: true,
  fontFamily,
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  // 12, 14, 16, 18 and 24 px on lines of 16, 20, 24, 26 and 32 px.
  fontSizes: { xs: '0.75rem', sm: '0.875rem', md: '1rem', lg: '1.125rem', xl: '1.5rem' },
  lineHeights: { xs: '1.3334', sm: '1.4286', md: '1.5', lg: '1.4445', xl: '1.3334' },
  fontWeights: { regular: '400', medium: '600', bold: '600' },
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.5rem', xl: '2rem' },
  defaultRadius: 'sm',
  radius: { sm: '6px', md: '8px', lg: '12px' },
  // Menus and sticky bars; dialogs and side panels.
  shadows: { md: '0 4px 12px rgb(0 0 0 / 10%)', xl: '0 16px 48px rgb(0 0 0 / 18%)' },
  headings: {
    fontFamily,
    fontWeight: '600',
    textWrap: 'balance',
    sizes: {
      h1: { fontSize: '1.5rem', lineHeight: '1.3334' },
      h2: { fontSize: '1.125rem', lineHeight: '1.4445' },
      h3: { fontSize: '1rem', lineHeight: '1.5' },
    },
  },
  components: {
    Anchor: Anchor.extend({ defaultProps: { inherit: true } }),
    // People type names from the left and from the right.
    TextInput: { defaultProps: { dir: 'auto' } },
    Textarea: { defaultProps: { dir: 'auto' } },
    Badge: Badge.extend({ defaultProps: { variant: 'outline', color: 'dark', radius: 'sm' } }),
    // A menu can contain only items, and the placeholder for the focus is none: the focus goes to the first item.
    Menu: {
      defaultProps: { withInitialFocusPlaceholder: false, transitionProps: { duration: 0 } } satisfies MenuProps,
    },
    // The scroll lock writes a <style> into the page, which the Content-Security-Policy refuses.
    // This does not use Modal.extend, which would put the code of dialogs into the first visit.
    Modal: {
      defaultProps: {
        lockScroll: false,
        centered: true,
        transitionProps: { duration: 0 },
        closeButtonProps: { 'aria-label': 'Close' },
        overlayProps: { backgroundOpacity: 0.4 },
        radius: 'lg',
        shadow: 'xl',
      } satisfies Partial<ModalProps>,
      styles: {
        title: {
          fontSize: 'var(--mantine-font-size-lg)',
          fontWeight: 600,
          lineHeight: 'var(--mantine-line-height-lg)',
        },
      },
    },
  },
})

/** Outlines in dark mode. Mantine derives them from the primary shade, which leaves too little color. */
const outlines = Object.fromEntries(
  ['indigo', 'red', 'orange', 'teal'].map((color) => [
    `--mantine-color-${color}-outline`,
    `var(--mantine-color-${color}-4)`,
  ]),
)

/** The roles of colors, in light and in dark. theme.test.ts measures the contrast of text with what is behind it. */
export const roles = {
  '--svc-ground': ['#f6f7f9', '#0e1014'],
  '--svc-surface': ['#ffffff', '#1a1e25'],
  '--svc-raised': ['#ffffff', '#252b35'],
  '--svc-hover': ['#edeff3', '#2e3541'],
  '--svc-chosen': ['#e3eaff', '#2e3541'],
  '--svc-line': ['#dde1e7', '#353d4a'],
  '--mantine-color-default-border': ['#7c8594', '#7c8798'],
  '--mantine-color-text': ['#16191f', '#e8eaee'],
  '--mantine-color-dimmed': ['#535b69', '#a9b1be'],
  '--mantine-color-placeholder': ['#535b69', '#a9b1be'],
  // One step brighter than the accent in dark mode, for links on hovered rows.
  '--mantine-color-anchor': ['#3b5bdb', '#91a7ff'],
  // Buttons without an outline look like links, and what is chosen among them like rows.
  '--mantine-color-indigo-light-color': ['#3b5bdb', '#91a7ff'],
  '--mantine-color-indigo-light': ['#e3eaff', '#2e3541'],
  '--mantine-color-indigo-light-hover': ['#dfe6ff', '#353d4a'],
  '--svc-good': ['#0b7a55', '#38d9a9'],
  '--svc-good-tint': ['#e3f6ee', '#12312a'],
  '--svc-unpublished': ['#6d28d9', '#b197fc'],
  '--svc-unpublished-tint': ['#f1ebfe', '#2a2145'],
  '--svc-warning': ['#9a3b00', '#ffa94d'],
  '--svc-warning-tint': ['#fff1e0', '#3a2811'],
  '--svc-bad': ['#b42318', '#ff8787'],
  '--svc-bad-tint': ['#fdecea', '#3d1c1e'],
  '--mantine-color-error': ['#b42318', '#ff8787'],
  // Variations of a flag, always with a shape and a name.
  '--svc-arm-1': ['#667085', '#98a2b3'],
  '--svc-arm-2': ['#2f6fdb', '#6ea8fe'],
  '--svc-arm-3': ['#b4540a', '#f59e4b'],
  '--svc-arm-4': ['#b0307a', '#f08bc0'],
} as const satisfies Record<`--${string}`, readonly [light: string, dark: string]>

const inScheme = (scheme: 0 | 1) =>
  Object.fromEntries(Object.entries(roles).map(([role, colors]) => [role, colors[scheme]]))

/** Colors for which Mantine's defaults have too little contrast, and our own. */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: inScheme(0),
  dark: { ...outlines, ...inScheme(1) },
})
