#pragma once
// The examples that wait for the user's data, as they stood when this was built.

namespace tw::cli {

extern const char kTownRecipe[];
extern const char kMountainsRecipe[];

}  // namespace tw::cli
