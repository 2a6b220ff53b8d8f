export const whoMakesTokens =
  'Service tokens let programs into the whole organization, so owners and administrators alone see, make, rotate and revoke them. For your own programs there are personal tokens.'
