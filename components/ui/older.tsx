import { Button } from "@mantine/core";

type Props = { list: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage(): unknown } };

/** Below a list, newest first: what came before, while there is any. */
export function Older({ list }: Props) {
  if (!list.hasNextPage) return null;
  return (
    <Button variant="default" mt="md" loading={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
      Show older ones
    </Button>
  );
}
