"""Faster float32 matrix products on x86: weights kept in the order that oneDNN reads them in.

PyTorch multiplies float32 matrices with MKL, which orders the weights anew in every call and on processors that are
not Intel's takes a slower road. oneDNN, which comes with PyTorch, can be given them in order once, and applies GELU
while a result is still in the processor's cache. The operators are those that `torch.compile` emits for frozen weights;
called directly they cost no compiling at start. The results agree to rounding.
"""

import platform
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from torch import nn

_ROWS = 2_048  # tokens of a full pass: what the order is best for; any other number works, too


def pack_linear_layers(model: "nn.Module") -> int:
    """Replace the linear layers of a float32 model that only infers. Returns how many; 0 where that is not possible."""
    import torch
    from torch import nn

    if platform.machine() not in ("x86_64", "AMD64") or not torch.backends.mkldnn.is_available():  # type: ignore[no-untyped-call]
        return 0

    class PackedLinear(nn.Module):
        def __init__(self, linear: nn.Linear, *, gelu: bool) -> None:
            super().__init__()
            self.weight = torch.ops.mkldnn._reorder_linear_weight(linear.weight.detach(), _ROWS)
            self.bias = None if linear.bias is None else linear.bias.detach()
            self.after = ("gelu", "none") if gelu else ("none", "")

        def forward(self, given: torch.Tensor) -> Any:
            name, algorithm = self.after
            return torch.ops.mkldnn._linear_pointwise(given, self.weight, self.bias, name, [], algorithm)

    packed = 0
    with torch.inference_mode():
        for parent in list(model.modules()):
            activation = getattr(parent, "intermediate_act_fn", None)  # of the feed-forward layer in BERT's family
            has_gelu = type(activation).__name__ == "GELUActivation"
            for name, child in list(parent.named_children()):
                if isinstance(child, nn.Linear):
                    is_followed = has_gelu and name == "dense"
                    setattr(parent, name, PackedLinear(child, gelu=is_followed))
                    if is_followed:
                        parent.intermediate_act_fn = nn.Identity()
                    packed += 1
    return packed
