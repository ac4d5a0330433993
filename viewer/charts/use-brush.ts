import type { RefObject } from "preact";
import { useRef, useState } from "preact/hooks";

/** A shorter way is a click. */
const LEAST_PX = 6;

interface Corner {
  x: number;
  y: number;
}

/** A rectangle that the pointer draws over a chart, and the runs whose dots lie in it. */
export function useBrush(
  canvas: RefObject<HTMLDivElement | null>,
  onBrush: ((runs: string[]) => void) | undefined,
) {
  const from = useRef<Corner | null>(null);
  const [box, setBox] = useState<Record<"left" | "top" | "width" | "height", string> | null>(null);
  const spanOf = ({ clientX, clientY }: MouseEvent) => {
    const { x, y } = from.current!;
    return {
      ...{ left: Math.min(x, clientX), right: Math.max(x, clientX) },
      ...{ top: Math.min(y, clientY), bottom: Math.max(y, clientY) },
    };
  };
  const isShort = ({ left, right, top, bottom }: ReturnType<typeof spanOf>) =>
    Math.max(right - left, bottom - top) < LEAST_PX;
  return {
    box,
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0 || (event.target as Element).closest(".legend")) return;
      from.current = { x: event.clientX, y: event.clientY };
      // Dragging must not mark the chart's words.
      event.preventDefault();
    },
    onPointerMove: (event: PointerEvent) => {
      if (!from.current) return;
      const span = spanOf(event);
      if (isShort(span)) return;
      canvas.current!.setPointerCapture(event.pointerId);
      const frame = canvas.current!.getBoundingClientRect();
      const px = (value: number) => `${value}px`;
      setBox({
        ...{ left: px(span.left - frame.left), top: px(span.top - frame.top) },
        ...{ width: px(span.right - span.left), height: px(span.bottom - span.top) },
      });
    },
    onPointerUp: (event: PointerEvent) => {
      if (!from.current) return;
      const span = spanOf(event);
      from.current = null;
      if (isShort(span)) return;
      // The click that ends a drag comes right after this, and must still see it.
      setTimeout(() => setBox(null), 0);
      const runs = [...canvas.current!.querySelectorAll("[data-run]:not([data-hidden])")].flatMap((mark) => {
        const { left, right, top, bottom } = mark.getBoundingClientRect();
        const [x, y] = [(left + right) / 2, (top + bottom) / 2];
        const isInside = x >= span.left && x <= span.right && y >= span.top && y <= span.bottom;
        return isInside ? [mark.getAttribute("data-run")!] : [];
      });
      if (runs.length > 0) onBrush?.(runs);
    },
    onPointerCancel: () => {
      from.current = null;
      setBox(null);
    },
  };
}
